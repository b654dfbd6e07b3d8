import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { BackupLink, BackupList, BackupStatus } from '#contract/backups.ts'
import { hourMs } from '#contract/durations.ts'
import { apiBase } from '#client/data/api.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { callAsOwner } from '#client/session/owner-call.ts'

/*
 * The site's backups, which are the server's: the page lists them, asks for one more and hands a file to the browser. What
 * it knows of them lives in its memory only.
 */

const all = ['backups']
/** How often the list is read again while the server still looks into a file, in milliseconds. */
const checkingEveryMs = 2_000

/** Whether she has to look after them; asked by the page itself, once an hour. */
export const backupStatusQuery = queryOptions({
  queryKey: [...all, 'status'],
  queryFn: async () =>
    (await callInBackground('GET', ownerCalls.backupStatus)).json as BackupStatus,
  staleTime: hourMs,
  refetchOnWindowFocus: true,
  refetchOnReconnect: true,
  retry: false,
})

/** The list, read anew whenever it is opened. */
export const backupsQuery = queryOptions({
  queryKey: [...all, 'list'],
  queryFn: async ({ client }) => {
    const list = (await callAsOwner('GET', ownerCalls.backups)).json as BackupList
    client.setQueryData(backupStatusQuery.queryKey, list.status)
    return list
  },
  staleTime: 0,
  refetchInterval: ({ state }) =>
    (state.data?.backups ?? []).some((backup) => backup.state === 'checking') && checkingEveryMs,
})

/** Has the server make one more, and what it says then; rejects when it could not, or when nobody knows. */
export async function makeBackup(queryClient: QueryClient): Promise<string> {
  try {
    const { json } = await callAsOwner('POST', ownerCalls.backups, {
      signal: AbortSignal.timeout(hourMs),
    })
    return (json as { readonly mensaje: string }).mensaje
  } finally {
    await queryClient.invalidateQueries({ queryKey: all })
  }
}

/** Deletes one for good; rejects when the server keeps it, or when nobody knows. */
export async function removeBackup(queryClient: QueryClient, name: string): Promise<void> {
  try {
    await callAsOwner('DELETE', `${ownerCalls.backups}/${name}`)
  } finally {
    await queryClient.invalidateQueries({ queryKey: all })
  }
}

/** Where the browser fetches the file by itself: it writes it to the disk as it comes, and takes up what broke off. */
export async function backupAddress(name: string): Promise<string> {
  const { json } = await callAsOwner('POST', `${ownerCalls.backups}/${name}/link`)
  return apiBase + (json as BackupLink).path
}

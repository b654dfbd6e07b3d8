import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownerCalls } from '#contract/owner-calls.ts'
import type { BackupLink, BackupList, BackupStatus } from '#contract/backups.ts'
import { hourMs } from '#contract/durations.ts'
import { apiBase } from '#client/data/api.ts'
import { callInBackground } from '#client/session/background-call.ts'
import { callAsOwner } from '#client/session/owner-call.ts'
import { isLoginPutOff, ownerRead, readAnew } from '#client/owner/calls/read-anew.ts'
import { unlessGone } from '#client/owner/calls/unless-gone.ts'

/*
 * The backups belong to the server: the page lists them, asks for one more and hands a file to the browser. It keeps
 * what it knows of them in memory only.
 */

const all = ['backups']
/** How often the list is read again while the server still checks a file, in milliseconds. */
const checkingEveryMs = 2_000

/** Asked by the page itself, once an hour. */
export const backupStatusQuery = queryOptions({
  queryKey: [...all, 'status'],
  queryFn: async () =>
    (await callInBackground('GET', ownerCalls.backupStatus)).json as BackupStatus,
  staleTime: hourMs,
  refetchOnWindowFocus: true,
  refetchOnReconnect: true,
  retry: false,
})

/** Read again whenever the list is opened. */
export const backupsQuery = queryOptions({
  queryKey: [...all, 'list'],
  queryFn: async ({ client }) => {
    const list = (await callAsOwner('GET', ownerCalls.backups)).json as BackupList
    client.setQueryData(backupStatusQuery.queryKey, list.status)
    return list
  },
  ...ownerRead,
  refetchInterval: ({ state }) =>
    !isLoginPutOff() &&
    (state.data?.backups ?? []).some((backup) => backup.state === 'checking') &&
    checkingEveryMs,
})

/** Resolves to the server's words; rejects when the backup failed, or when no answer came. */
export async function makeBackup(queryClient: QueryClient): Promise<string> {
  try {
    const { json } = await callAsOwner('POST', ownerCalls.backups, {
      signal: AbortSignal.timeout(hourMs),
    })
    return (json as { readonly mensaje: string }).mensaje
  } finally {
    await readAnew(queryClient, all)
  }
}

/** Deletes for good; rejects when the server keeps it, or when no answer came. */
export async function removeBackup(queryClient: QueryClient, name: string): Promise<void> {
  try {
    await unlessGone(callAsOwner('DELETE', `${ownerCalls.backups}/${name}`))
  } finally {
    await readAnew(queryClient, all)
  }
}

/**
 * The browser fetches the file from this address by itself: it writes to disk as it comes, and resumes a broken
 * download.
 */
export async function backupAddress(name: string): Promise<string> {
  const { json } = await callAsOwner('POST', `${ownerCalls.backups}/${name}/link`)
  return apiBase + (json as BackupLink).path
}

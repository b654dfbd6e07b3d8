import { queryOptions } from '@tanstack/react-query'
import { calls } from '#contract/api.ts'
import type { OwnSettings } from '#contract/settings/settings.ts'
import { callAsOwner } from '#client/session/owner-call.ts'

/** The owner's birth date, of which visitors only get the age: in this page's memory alone, as no kept cache takes it. */
export const birthDateQuery = queryOptions({
  queryKey: ['birth-date'],
  queryFn: async () => {
    const { json } = await callAsOwner('GET', `${calls.config}/birth_date`)
    return (json as Pick<OwnSettings, 'birth_date'>).birth_date ?? ''
  },
  staleTime: 0,
  retry: false,
})

import { calls, formAgeHeader } from '#contract/api.ts'
import { fetchInTime } from './fetch-in-time.ts'
import { letter } from './messages.ts'
import type { Site } from './site.ts'

/** Sends a message as a visitor who took a minute to write it. Throws when it was refused. */
export async function sendMessage(site: Site, values: Partial<typeof letter> = {}): Promise<void> {
  const response = await fetchInTime(`${site.url}/api/${calls.contact}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [formAgeHeader]: '60000' },
    body: JSON.stringify({ ...letter, ...values }),
  })
  if (!response.ok) throw new Error(`a message was answered ${response.status}`)
}

import type { Messages } from 'next-intl'
import { getMessages } from 'next-intl/server'
import type { areas } from './areas'

export type Area = (typeof areas)[number]

/** Only these namespaces travel to the browser: the whole catalogue in each page would be five times the page. */
export async function pickMessages(wanted: readonly Area[]): Promise<Partial<Messages>> {
  const all: Partial<Messages> = await getMessages()
  return Object.fromEntries(wanted.map(area => [area, all[area] ?? {}]))
}

import * as z from 'zod'
import { email } from '@/model/email'
import type { Runtime } from '@/server/kernel/runtime'
import { getSetting, setSetting } from '@/server/kernel/settings'
import { wakeMail } from './queue'

// The one mail server through which everything is sent: letters about accounts, and alerts.

const name = z
  .string()
  .trim()
  .max(64, 'tooLong')
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'controlCharacters')

/** Scheme, host and port under which people open this manager; links in letters begin with it. */
export const publicUrl = z
  .url({ protocol: /^https?$/, message: 'urlFormat' })
  .max(255, 'tooLong')
  .refine(text => /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text), 'originOnly')
  .transform(text => new URL(text).origin)

export const mailServerShape = z.strictObject({
  host: z
    .string()
    .trim()
    .min(1, 'required')
    .max(253, 'tooLong')
    .regex(/^[A-Za-z0-9.:_-]+$/, 'addressFormat'),
  port: z.int().min(1).max(65_535).default(587),
  /** `tls`: from the first byte (465); `starttls`: refused where the server does not offer it. */
  security: z.enum(['none', 'starttls', 'tls']).default('starttls'),
  /** Refuses certificates that no known authority signed, unless turned off for a server of one's own. */
  verify: z.boolean().default(true),
  user: z.string().max(255, 'tooLong').default(''),
  from: email,
  fromName: name.default(''),
  replyTo: z.union([z.literal(''), email]).default(''),
  publicUrl,
})
export const mailServerStored = mailServerShape.extend({
  /** Empty where the server comes from an older version, which had no links to send. */
  publicUrl: z.union([z.literal(''), publicUrl]).default(''),
  password: z.string().max(1024).default(''),
})
export type MailServer = z.output<typeof mailServerStored>

const place = 'settings:mail:sealed'

/** The mail server that is set, or undefined. */
export function readMailServer(runtime: Runtime): MailServer | undefined {
  const { sealed } = getSetting(runtime.db, 'mail')
  return sealed ? mailServerStored.parse(JSON.parse(runtime.secrets.open(sealed, place))) : undefined
}

export function saveMailServer(runtime: Runtime, server: MailServer | undefined): void {
  setSetting(runtime.db, 'mail', {
    sealed: server ? runtime.secrets.seal(JSON.stringify(server), place) : '',
    last: undefined,
  })
  // What waits need not wait for its next try.
  setImmediate(() => wakeMail(runtime, true))
}

/** Whether letters with links can be sent: a server is set, and the address that links begin with. */
export const mailReady = (runtime: Runtime): boolean => !!readMailServer(runtime)?.publicUrl

/**
 * A link for a letter. It begins with the address that was set, never with what a request said; the token stands behind
 * `#`, so that it is in no log and no Referer.
 */
export const publicLink = (runtime: Runtime, path: `/${string}`, token = ''): string =>
  `${readMailServer(runtime)?.publicUrl ?? ''}${path}${token && `#${token}`}`

import { networkInterfaces } from 'node:os'
import * as z from 'zod'
import type { FieldError } from '@/model/field-errors'
import { generalName } from '@/model/names'
import type { Credential } from '@/server/drivers/driver'
import { keyState } from '@/server/drivers/ssh/key-pair'
import { note } from '@/server/kernel/shapes'

// A login as people give it. The credentials with which the manager polls: 1-64 characters a community, passwords of any
// length, or a key (readings of the specification).

const secret = z.string().min(1, 'required').max(1024, 'tooLong')
export const loginUser = z
  .string()
  .min(1, 'required')
  .max(64, 'tooLong')
  .regex(/^[^\p{C}]*$/u, 'controlCharacters')
const community = z.string().min(1, 'required').max(64, 'tooLong')
/** A private key without what is pasted with it: blanks at the ends of lines, CRs, empty lines or a mark before. */
export const pastedKey = z
  .string()
  .overwrite(text =>
    text
      .split(/\r\n?|\n/)
      .map(line => line.trim())
      .join('\n')
      .trim(),
  )
  .max(32_768, 'tooLong')
const privateKey = pastedKey.min(1, 'required').superRefine((text, context) => {
  if (/^PuTTY-User-Key-File-/.test(text)) context.addIssue('keyPutty' satisfies FieldError)
  else if (!text.startsWith('-----BEGIN ')) context.addIssue('keyFormat' satisfies FieldError)
  else if (keyState(text) === 'unreadable') context.addIssue('keyUnread' satisfies FieldError)
})

export const credentialInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('snmp1'), community, writeCommunity: community.optional() }),
  z.strictObject({ type: z.literal('snmp2c'), community, writeCommunity: community.optional() }),
  z
    .strictObject({
      type: z.literal('snmp3'),
      user: loginUser,
      level: z.enum(['noAuthNoPriv', 'authNoPriv', 'authPriv']),
      authProtocol: z.enum(['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512']).optional(),
      authKey: z.string().min(8, 'tooShort').max(1024, 'tooLong').optional(),
      privProtocol: z.enum(['des', 'aes', 'aes256b', 'aes256r']).optional(),
      privKey: z.string().min(8, 'tooShort').max(1024, 'tooLong').optional(),
      context: note(255).optional(),
    })
    .superRefine((value, context) => {
      const needed =
        value.level === 'noAuthNoPriv'
          ? []
          : value.level === 'authNoPriv'
            ? (['authProtocol', 'authKey'] as const)
            : (['authProtocol', 'authKey', 'privProtocol', 'privKey'] as const)
      for (const field of needed)
        if (value[field] === undefined)
          context.addIssue({
            code: 'custom',
            path: [field],
            message: 'required' satisfies FieldError,
            input: undefined,
          })
    }),
  z
    .strictObject({
      type: z.literal('ssh'),
      user: loginUser,
      /** Absent with no key either: the device lets the user in without a password. */
      password: secret.optional(),
      privateKey: privateKey.optional(),
      passphrase: secret.optional(),
    })
    .superRefine((value, context) => {
      if (value.privateKey && !value.passphrase && keyState(value.privateKey) === 'locked')
        context.addIssue({
          code: 'custom',
          path: ['passphrase'],
          message: 'required' satisfies FieldError,
          input: undefined,
        })
    }),
]) satisfies z.ZodType<Credential>

export const credentialName = generalName(64).regex(/^[^\p{C}]*$/u, 'controlCharacters')

/** A link-local address is one of a link, so it names this machine's interface behind `%`. */
function isOnLink(text: string): boolean {
  if (!/^fe[89ab][0-9a-f]:/.test(text)) return true
  const [, zone] = text.split('%')
  return zone !== undefined && Object.hasOwn(networkInterfaces(), zone)
}

/** An address of a device: an IP literal or a name in the LAN, without the dot at its end. */
export const deviceAddress = z
  .string()
  .trim()
  // Interfaces are told apart by their case.
  .overwrite(text => text.replace(/^[^%]*/, host => host.toLowerCase().replace(/(?<=[^.])\.$/, '')))
  .min(1, 'required')
  .max(253, 'tooLong')
  .regex(/^([a-z0-9]([a-z0-9.:_-]*[a-z0-9])?|fe[89ab][0-9a-f:]*(%[^\s/%]{1,15})?)$/, 'addressFormat')
  .refine(text => !/^[\d.]+$/.test(text) || z.ipv4().safeParse(text).success, 'addressFormat')
  .refine(text => !text.includes(':') || z.ipv6().safeParse(text.split('%')[0]).success, 'addressFormat')
  .refine(isOnLink, 'addressInterface' satisfies FieldError)
export const devicePort = z.int().min(1).max(65_535)
export const hostKeyFormat = z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'hostKeyFormat')

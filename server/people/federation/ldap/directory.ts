import { X509Certificate } from 'node:crypto'
import * as z from 'zod'
import { limits } from '@/model/limits'
import type { Runtime } from '@/server/kernel/runtime'
import { getSetting, setSetting } from '@/server/kernel/settings'
import { isFilter } from './filter'

// The one directory (LDAP, Active Directory) of the manager's own company, by which its people sign in.

const begin = '-----BEGIN CERTIFICATE-----'
const text = z
  .string()
  .trim()
  .max(limits.directoryTextCharacters, 'tooLong')
  .regex(/^[^\p{C}]*$/u, 'controlCharacters')
const attribute = z.union([
  z.literal(''),
  z
    .string()
    .trim()
    .max(64, 'tooLong')
    .regex(/^[A-Za-z][\w;-]*$/, 'ldapAttribute'),
])

/** PEM certificates, one after the other. */
export const certificatesOf = (pem: string): string[] =>
  pem
    .split(begin)
    .slice(1)
    .map(rest => begin + rest)

function areCertificates(pem: string): boolean {
  try {
    return certificatesOf(pem).length > 0 && certificatesOf(pem).every(one => new X509Certificate(one).subject !== '')
  } catch {
    return false
  }
}

export const directoryShape = z.strictObject({
  enabled: z.boolean(),
  host: text
    .min(1, 'required')
    .max(253, 'tooLong')
    .regex(/^[A-Za-z0-9.:_-]+$/, 'addressFormat'),
  port: z.int().min(1).max(65_535).default(636),
  /** `ldaps`: from the first byte; `starttls`: refused where the server does not offer it. Never in clear. */
  security: z.enum(['ldaps', 'starttls']).default('ldaps'),
  /** Of who signed the server's certificate, PEM; '' for the authorities that all know. */
  ca: z
    .string()
    .trim()
    .max(limits.directoryCaCharacters, 'tooLong')
    .refine(pem => pem === '' || areCertificates(pem), 'certificateFormat')
    .default(''),
  /** Who searches; '' searches without a login, where the directory allows it. */
  bindDn: text.default(''),
  base: text.min(1, 'required'),
  filter: text.refine(one => isFilter(one, 'name'), 'ldapFilterName'),
  /** Whose value people sign in by; it is the account's name here. */
  accountAttribute: attribute.refine(name => name !== '', 'required'),
  nameAttribute: attribute.default(''),
  emailAttribute: attribute.default(''),
  /** Holds the groups of an entry, as memberOf does; '' where the groups name their members alone. */
  roleAttribute: attribute.default(''),
  /** Below it groups are searched whose `groupFilter` holds the entry's DN; '' searches below `base`. */
  groupBase: text.default(''),
  groupFilter: text.refine(one => one === '' || isFilter(one, 'dn'), 'ldapFilterDn').default(''),
})
const stored = directoryShape.extend({ bindPassword: z.string().max(1024).default('') })
export type Directory = z.output<typeof stored>

const place = 'settings:directory:sealed'

/** The directory that is set, turned on or not. */
export function readDirectory(runtime: Runtime): Directory | undefined {
  const { sealed } = getSetting(runtime.db, 'directory')
  return sealed ? stored.parse(JSON.parse(runtime.secrets.open(sealed, place))) : undefined
}

export function saveDirectory(runtime: Runtime, directory: Directory): void {
  const sealed = runtime.secrets.seal(JSON.stringify(stored.parse(directory)), place)
  setSetting(runtime.db, 'directory', { enabled: directory.enabled, sealed })
}

import * as z from 'zod'
import type { Data } from '@/model/kind'
import { limits } from '@/model/limits'
import { type DirectorySettings, directory } from '@/model/people/directory'
import { certificatesIn } from '@/server/kernel/certificates/read'
import { type OwnSettings, readOwn } from '@/server/kernel/own-settings'
import type { Runtime } from '@/server/kernel/runtime'
import { takeSetting } from '@/server/kernel/settings'
import { isFilter } from './filter'

// The one directory (LDAP, Active Directory) of the manager's own company, by which its people sign in.

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
    .refine(pem => pem === '' || certificatesIn(pem) !== undefined, 'certificateFormat')
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

/** With '' for what is not set. */
export const wholeDirectory = (found: DirectorySettings): Directory => stored.parse(found)

/** The directory that is set, turned on or not. */
export function readDirectory(runtime: Runtime): Directory | undefined {
  const found = readOwn(runtime.db, directory, runtime)
  return found && wholeDirectory(found)
}

export const directorySettings: OwnSettings<DirectorySettings> = {
  kind: directory,
  judge: (_, { filter, groupFilter, ca }) => ({
    filter: isFilter(filter, 'name') ? undefined : 'ldapFilterName',
    groupFilter: groupFilter === '' || isFilter(groupFilter, 'dn') ? undefined : 'ldapFilterDn',
    ca: ca === '' || certificatesIn(ca) !== undefined ? undefined : 'certificateFormat',
  }),
  former({ db, secrets }) {
    const { sealed } = takeSetting(db, 'directory')
    return sealed ? [{ values: JSON.parse(secrets.open(String(sealed), 'settings:directory:sealed')) as Data }] : []
  },
}

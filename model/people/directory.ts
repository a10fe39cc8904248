import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'
import { limits } from '../limits'

const text = () => f.text(limits.directoryTextCharacters)

const fields = z.strictObject({
  enabled: f.boolean().default(false),
  /** `ldaps`: from the first byte; `starttls`: refused where the server does not offer it. Never in clear. */
  security: f.choice(['ldaps', 'starttls'], { menu: true }).default('ldaps'),
  host: f.server(),
  port: f.port().default(636),
  /** Of who signed the server's certificate, PEM; '' for the authorities that all know. */
  ca: f.block(limits.directoryCaCharacters).default(''),
  /** Who searches; '' searches without a login, where the directory allows it. */
  bindDn: text().default(''),
  bindPassword: f
    .secret(1, limits.ownSecretCharacters, { sentTo: ['host', 'port', 'security', 'ca', 'bindDn'] })
    .optional(),
  base: f.name(limits.directoryTextCharacters),
  filter: f.name(limits.directoryTextCharacters),
  /** Whose value people sign in by; it is the account's name here. */
  accountAttribute: f.attribute(),
  nameAttribute: f.attribute().optional(),
  emailAttribute: f.attribute().optional(),
  /** Holds the groups of an entry, as memberOf does; missing where the groups name their members alone. */
  roleAttribute: f.attribute().optional(),
  /** Below it groups are searched whose `groupFilter` holds the entry's DN; '' searches below `base`. */
  groupFilter: text().default(''),
  groupBase: text().default(''),
})
export type DirectorySettings = z.output<typeof fields>

/** The one directory (LDAP, Active Directory) of the manager's own company, by which its people sign in. */
export const directory = single({
  id: 'directory',
  area: 'ldap',
  scope: 'manager',
  title: 'host',
  fields,
  sections: [
    section('server', [
      'enabled',
      'security',
      'host',
      field('port', { beside: true }),
      'ca',
      'bindDn',
      field('bindPassword', { when: (v: Partial<DirectorySettings>) => !!v.bindDn }),
    ]),
    section('people', [
      'base',
      'filter',
      'accountAttribute',
      'nameAttribute',
      field('emailAttribute', { beside: true }),
    ]),
    section('groups', ['roleAttribute', 'groupFilter', 'groupBase']),
  ],
  rules: [rule<DirectorySettings>('required', 'bindPassword', v => !v.bindDn || v.bindPassword !== undefined)],
})

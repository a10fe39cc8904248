import { type Authorities, authoritiesOf, type Feature, features } from './authority'

type Name = Feature['name']
/** What a purpose needs of each feature; of all others nothing. */
export type AuthorityPreset = { id: string; levels: Readonly<Partial<Record<Name, 'read' | 'edit'>>> }
type Levels = AuthorityPreset['levels']

const at = (level: 'read' | 'edit', wanted: (feature: Feature) => boolean): Levels =>
  Object.fromEntries(features.filter(wanted).map(({ name }) => [name, level]))

/** Features as far as a set of rights reaches; the own account is everybody's. */
const levelsOf = (held: Authorities): Levels => ({
  ...at('read', ({ name }) => held.has(name) && name !== 'account'),
  ...at('edit', ({ edits }) => edits.some(name => held.has(name))),
})

const withoutThem = (levels: Levels, ...names: Name[]): Levels =>
  Object.fromEntries(Object.entries(levels).filter(([name]) => !names.includes(name as Name)))

/** Credentials open devices, and metrics are for programs: nobody needs them to look. */
const viewer = withoutThem(levelsOf(authoritiesOf('networkReadOnly')), 'devices_logins', 'metrics')
/** Networks are found by the list of them. */
const networks: Levels = { organization_network: 'read' }
const settings = at('edit', ({ area }) => area === 'settings')

/** What people are given a role for. */
export const rolePresets = [
  { id: 'viewer', levels: viewer },
  { id: 'frontDesk', levels: levelsOf(authoritiesOf('guestEditor')) },
  {
    id: 'operator',
    levels: { ...viewer, devices: 'edit', clients: 'edit', guests: 'edit', alerts: 'edit', troubleshooting: 'edit' },
  },
  {
    id: 'installer',
    levels: {
      ...withoutThem(viewer, 'guests', 'vouchers', 'exports', 'organization_changelog'),
      ...settings,
      ...{ devices: 'edit', devices_logins: 'edit', troubleshooting: 'edit' },
    },
  },
] as const satisfies readonly AuthorityPreset[]

/** What scripts are given a key for. */
export const keyPresets = [
  {
    id: 'monitoring',
    levels: {
      ...networks,
      ...{ dashboard: 'read', devices: 'read', clients: 'read', alerts: 'read', logs: 'read', metrics: 'read' },
    },
  },
  { id: 'backup', levels: { organization_manager: 'edit' } },
  { id: 'inventory', levels: { ...networks, devices: 'read', clients: 'read', exports: 'read' } },
  { id: 'automation', levels: { ...networks, ...settings, devices: 'edit' } },
  { id: 'voucherSales', levels: { ...networks, guests: 'read', vouchers: 'edit' } },
  { id: 'viewer', levels: viewer },
] as const satisfies readonly AuthorityPreset[]

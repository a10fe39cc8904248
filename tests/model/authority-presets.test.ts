// What roles and API keys start from: rights that there are, no more than the purpose needs, and enough for it.
import { heldWith, lacking, presetLevels } from '@/app/(console)/organization/_parts/levels'
import { keyAuthorities, keyFeatures } from '@/model/api-keys'
import { type Authority, authorities, authoritiesOf, completed, features, isSuperOnly } from '@/model/authority'
import { type AuthorityPreset, keyPresets, rolePresets } from '@/model/authority-presets'
import { fc } from '../_property'
import { needOf } from '../contract/_rights'
import { wordAt } from '../contract/_tree'

type Offered = { read: string; edits: readonly string[]; mayRead: boolean; mayEdit: boolean }
const all = new Set<Authority>(authorities)

/** As `roles/tree` offers them to who holds these. */
const forRoles = (held: ReadonlySet<Authority>): Offered[] =>
  features
    .filter(one => one.name !== 'account' && !isSuperOnly(one.name))
    .map(({ name, edits }) => {
      const changes = (edits as readonly Authority[]).filter(edit => !isSuperOnly(edit))
      const mayEdit = changes.length > 0 && changes.every(edit => held.has(edit))
      return { read: name, edits: changes, mayRead: held.has(name), mayEdit }
    })
/** As `developer-api/get` does. */
const forKeys = (held: ReadonlySet<Authority>): Offered[] =>
  keyFeatures
    .filter(one => held.has(one.name))
    .map(({ name, edits }) => {
      const mine = (edits as readonly Authority[]).filter(edit => held.has(edit))
      return { read: name, edits: mine, mayRead: true, mayEdit: mine.length > 0 }
    })

const given = (preset: AuthorityPreset, offered: Offered[]) => heldWith(offered, [], presetLevels(preset, offered))
const sorts = [
  ['role', rolePresets, forRoles, (names: readonly string[]) => completed(names).filter(name => name !== 'account')],
  ['key', keyPresets, forKeys, keyAuthorities],
] as const
const cases = sorts.flatMap(([sort, presets, offers, kept]) =>
  presets.map(preset => [`${preset.id} of a ${sort}`, preset as AuthorityPreset, offers, kept] as const),
)

test.each(cases)(
  '%s grants rights that there are, all of them to who holds everything, with words',
  (_, preset, offers, kept) => {
    const offered = offers(all)
    expect(lacking(preset, offered)).toEqual([])
    const names = given(preset, offered)
    expect(names.length).toBeGreaterThan(0)
    // As the manager takes them: nothing is dropped, nothing is added.
    expect(kept(names).toSorted()).toEqual(names.toSorted())
    const words = [...['label', 'help'].map(key => `presets.${preset.id}.${key}`)]
    const shown = Object.keys(preset.levels).map(name => `features.${name}`)
    expect([...words, ...shown].filter(path => typeof wordAt('roles', path) !== 'string')).toEqual([])
  },
)

/** Rights as people hold them: of each feature nothing, what reads it, or all. */
const someRights = fc
  .tuple(...features.map(() => fc.constantFrom(0, 1, 2)))
  .map(
    levels =>
      new Set<Authority>(
        features.flatMap(({ name, edits }, at) => [...(levels[at] ? [name] : []), ...(levels[at] === 2 ? edits : [])]),
      ),
  )

test.each(cases)('%s never grants what its maker does not hold, and names it', (_, preset, offers) => {
  const whole = given(preset, offers(all))
  fc.assert(
    fc.property(someRights, held => {
      const names = given(preset, offers(held))
      expect(names.filter(name => !held.has(name as Authority))).toEqual([])
      const short = features.flatMap(({ name, edits }) =>
        [name, ...edits].some(one => whole.includes(one) && !names.includes(one)) ? [name] : [],
      )
      expect(lacking(preset, offers(held)).toSorted()).toEqual(short.toSorted())
    }),
  )
})

test('nor does one who can change something without reading it', () => {
  fc.assert(
    fc.property(fc.subarray([...authorities]), some => {
      const held = new Set(some)
      for (const [, preset, offers] of cases)
        expect(given(preset, offers(held)).filter(name => !held.has(name as Authority))).toEqual([])
    }),
  )
})

const namesOf = (presets: readonly AuthorityPreset[], offers: typeof forRoles, id: string) =>
  given(presets.find(one => one.id === id) as AuthorityPreset, offers(all))

test('each purpose can make the calls it is there for', () => {
  const needs: [string, string[], string][] = [
    [
      'monitoring',
      namesOf(keyPresets, forKeys, 'monitoring'),
      'networks/list devices/list clients/list alerts/list logs/find metrics dashboard/health',
    ],
    ['backup', namesOf(keyPresets, forKeys, 'backup'), 'backups/create backups/list backups/download'],
    [
      'inventory',
      namesOf(keyPresets, forKeys, 'inventory'),
      'networks/list devices/list clients/list exports/devices exports/clients',
    ],
    [
      'automation',
      namesOf(keyPresets, forKeys, 'automation'),
      'settings/ssid/save settings/lan/save settings/portForward/save devices/push/preview devices/push',
    ],
    [
      'voucherSales',
      namesOf(keyPresets, forKeys, 'voucherSales'),
      'networks/list vouchers/groups/list vouchers/add vouchers/desk/sell vouchers/groups/print guests/list',
    ],
    [
      'frontDesk',
      namesOf(rolePresets, forRoles, 'frontDesk'),
      'vouchers/desk/sell guests/list guests/remove clients/list',
    ],
    [
      'operator',
      namesOf(rolePresets, forRoles, 'operator'),
      'devices/reboot devices/push clients/kick alerts/acknowledge diagnostics/run settings/ssid/list guests/block',
    ],
    [
      'installer',
      namesOf(rolePresets, forRoles, 'installer'),
      'devices/adopt credentials/save settings/ssid/save settings/wan/save devices/push diagnostics/run',
    ],
    [
      'viewer',
      namesOf(rolePresets, forRoles, 'viewer'),
      'networks/list devices/list clients/list settings/ssid/list alerts/list changelog/list',
    ],
  ]
  const missing = needs.flatMap(([id, held, paths]) =>
    paths
      .split(' ')
      .filter(path => !held.includes(String(needOf(path))))
      .map(path => `${id}: ${path}`),
  )
  expect(missing).toEqual([])
})

test('reading alone changes nothing and opens no device; the front desk is the built-in one', () => {
  const edits = new Set<string>(features.flatMap(one => [...one.edits]))
  for (const held of [namesOf(rolePresets, forRoles, 'viewer'), namesOf(keyPresets, forKeys, 'viewer')]) {
    expect(held.filter(name => edits.has(name))).toEqual([])
    expect(held).not.toContain('devices_logins')
    expect(held).not.toContain('organization_users')
  }
  const desk = [...authoritiesOf('guestEditor')].filter(name => name !== 'account')
  expect(namesOf(rolePresets, forRoles, 'frontDesk').toSorted()).toEqual(desk.toSorted())
})

test('only the backup holds the manager, only the installer the credentials of devices', () => {
  const holding = (name: string) =>
    cases.flatMap(([, preset, offers]) => (given(preset, offers(all)).includes(name) ? [preset.id] : []))
  expect(holding('organization_manager_edit')).toEqual(['backup'])
  expect(holding('devices_logins')).toEqual(['installer'])
  expect(holding('organization_users_edit')).toEqual([])
})

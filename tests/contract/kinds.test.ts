import * as z from 'zod'
import { formSpec, kindSpec } from '@/app/_form/spec'
import { startValues } from '@/app/_form/values'
import { authorities } from '@/model/authority'
import { hiddenFields, metaOf } from '@/model/kind'
import { menu } from '@/model/menu'
import {
  anyKindIds,
  authorityOf,
  isKindId,
  isLibrary,
  isOwnKindId,
  isSingle,
  kindAtPath,
  kindIds,
  kinds,
  kindsOnPage,
  listKindIds,
  loadKind,
  namedBy,
  ownKindIds,
} from '@/model/registry'
import { reservedFields } from '@/server/networks/settings/documents'
import { wordAt } from './_tree'

/** The specification's settings screens (1-console.md section 2), below /network/{n}/. */
const settingsScreens = [
  ...['wifi', 'wifi/form', 'lan', 'lan/form', 'internet', 'internet/wan/form', 'internet/source/form', 'vpn'],
  ...['wizard', 'pptp', 'ipsec', 'open', 'user', 'guard'].map(page => `vpn/${page}/form`),
  ...['vpn/guard/peer', 'traffic', 'traffic/static/form', 'traffic/policy/form', 'firewall'],
  ...['wireless', 'wired', 'port'].map(page => `firewall/${page}/form`),
  'profiles',
  ...['portal', 'splash', 'ports', 'schedule', 'radius', 'ppsk', 'certificates', 'hotspot'].map(
    page => `profiles/${page}/form`,
  ),
  ...['system', 'system/dhcp/form', 'system/syslog/detail'],
  // Ours: the specification gives these a rule and calls, and no screen of their own.
  ...[
    'firewall/blocked/form',
    'firewall/time/form',
    'traffic/bandwidth/form',
    'profiles/users/form',
    'profiles/clients/form',
    'profiles/sms/form',
    'system/logs/form',
  ],
].map(path => `settings/${path}`)

test('kinds that share a page have a tab each, and each form and tab is of one kind', () => {
  for (const list of new Set(kindIds.map(id => kinds[id].list))) {
    const tabs = kindsOnPage(list).map(id => ('tab' in kinds[id] ? String(kinds[id].tab) : undefined))
    expect(new Set(tabs).size).toBe(tabs.length)
    for (const [at, id] of kindsOnPage(list).entries())
      expect(kindAtPath(list, tabs[at])).toEqual({ id, page: isSingle(id) ? 'single' : 'list' })
    expect(kindAtPath(list, 'nothing')?.id).toBe(kindsOnPage(list)[0])
  }
  const forms = listKindIds.map(id => kinds[id].form)
  expect(new Set(forms).size).toBe(forms.length)
  for (const id of listKindIds) expect(kindAtPath(kinds[id].form)).toEqual({ id, page: 'form' })
})

describe.each(kindIds)('the kind %s', id => {
  test('is the one its registry line names, and can be read and changed by somebody', async () => {
    expect((await loadKind(id)).id).toBe(id)
    expect((await loadKind(id)).single ?? false).toBe(isSingle(id))
    expect(authorities).toContain(kinds[id].authority)
    expect(authorities).toContain(`${kinds[id].authority}_edit`)
    expect(settingsScreens).toContain(kinds[id].list)
    if (!isSingle(id)) expect(settingsScreens).toContain(kinds[id].form)
    const paths = menu.flatMap(entry => [entry, ...(entry.children ?? [])]).map(entry => entry.path)
    expect(paths).toEqual(expect.arrayContaining([`/network/{n}/${kinds[id].list}`, `/network/{n}/${kinds[id].form}`]))
  })

  test('tells its names to whoever reads settings that refer to it', async () => {
    const all = await Promise.all(kindIds.map(loadKind))
    const referring = all.filter(kind => Object.values(kind.refs).includes(id)).map(kind => kinds[kind.id as typeof id])
    expect(new Set(namedBy(id))).toEqual(new Set([kinds[id].authority, ...referring.map(kind => kind.authority)]))
  })
})

test.each(ownKindIds)(
  '%s is the one its registry line names, of the manager or an organization, and can be changed by somebody',
  async id => {
    const kind = await loadKind(id)
    expect([kind.id, kind.single, isOwnKindId(id)]).toEqual([id, true, true])
    expect(['manager', 'organization']).toContain(kind.scope)
    expect(authorities).toEqual(expect.arrayContaining([authorityOf(id), `${authorityOf(id)}_edit`]))
    expect(isKindId(id)).toBe(false)
  },
)

describe.each(anyKindIds)('%s', id => {
  test('has words for itself, its sections, fields and choices', async () => {
    const kind = await loadKind(id)
    const spec = kindSpec(id, kind)
    const wanted = [
      ...(kind.single ? ['title'] : ['title', 'one', 'add', 'new', 'empty', 'search', 'full']),
      ...(kind.single || isLibrary(id) ? [] : ['assign']),
      ...spec.sections.map(section => `sections.${section.id}.title`),
      ...Object.values(spec.fields)
        .flatMap(field => [field, ...(field.columns ?? [])])
        .flatMap(field => [
          `fields.${field.key}.label`,
          ...(field.choices ?? []).map(choice => `fields.${field.key}.choices.${choice}`),
          ...(field.widget === 'switch' ? [`fields.${field.key}.on`, `fields.${field.key}.off`] : []),
        ]),
    ]
    expect(wanted.filter(path => typeof wordAt(kind.area, `${id}.${path}`) !== 'string')).toEqual([])
  })

  test('every rule has words and a field it is shown at', async () => {
    const kind = await loadKind(id)
    expect(kind.rules.filter(rule => typeof wordAt('errors', rule.key) !== 'string')).toEqual([])
    expect(kind.rules.filter(rule => !Object.hasOwn(kind.fields.shape, rule.path))).toEqual([])
  })

  test('every field is drawn once, from the vocabulary, under a name that is free', async () => {
    const kind = await loadKind(id)
    const drawn = kind.sections.flatMap(section => section.fields.map(place => place.key))
    expect(drawn.toSorted()).toEqual(Object.keys(kind.fields.shape).toSorted())
    for (const [key, type] of Object.entries(kind.fields.shape)) {
      expect(metaOf(type)?.widget).toBeDefined()
      expect(reservedFields).not.toContain(key)
    }
    const named = kind.single ? [] : [kind.title, ...kind.columns]
    expect(named.filter(key => !Object.hasOwn(kind.fields.shape, key))).toEqual([])
  })

  test('its defaults are values it accepts, references name kinds, unknown fields are refused', async () => {
    const kind = await loadKind(id)
    for (const type of Object.values(kind.fields.shape)) {
      const filled = type.safeParse(undefined)
      if (filled.success && filled.data !== undefined) expect(type.safeParse(filled.data)).toEqual(filled)
    }
    expect(Object.values(kind.refs).filter(to => !isKindId(to))).toEqual([])
    const parsed = kind.fields.safeParse({ surelyNotAField: 1 })
    expect(parsed.error?.issues.some(issue => issue.code === 'unrecognized_keys')).toBe(true)
  })
})

test.each(anyKindIds)('%s: its form begins with each default that is declared', async id => {
  const kind = await loadKind(id)
  const { fields } = startValues(kindSpec(id, kind), undefined)
  const declared = Object.entries(kind.fields.shape).flatMap(([key, field]) =>
    field instanceof z.ZodDefault && field.def.defaultValue !== undefined ? [[key, field.def.defaultValue]] : [],
  )
  expect(fields).toMatchObject(Object.fromEntries(declared))
})

test.each(listKindIds)('%s: which fields there are can be told of a form that is still empty', async id => {
  const kind = await loadKind(id)
  const { fields } = startValues(formSpec(id, kind), undefined)
  expect(hiddenFields(kind, fields)).not.toContain(kind.title)
})

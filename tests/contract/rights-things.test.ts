// What a call names lies in a network that one enters, or is not there.

import { max } from 'drizzle-orm'
import * as z from 'zod'
import {
  accountNetworks,
  accounts,
  alerts,
  certificates,
  changelog,
  credentials,
  deployments,
  devices,
  documents,
  groups,
  guests,
  jobs,
  maintenanceWindows,
  noticeTargets,
  radiusSessions,
  syslogCaptures,
  tags,
  voucherGroups,
  vouchers,
  voucherTemplates,
  webhookDeliveries,
  webhooks,
} from '@/db/schema'
import { authoritiesOf } from '@/model/authority'
import { makeVouchers } from '@/server/guests/vouchers/make'
import type { AnyCall } from '@/server/kernel/call'
import { appendLog } from '@/server/kernel/changelog'
import { keyed, person, role } from '../server/_people'
import { elsewhere, every, manager, owner, places, setUp } from './_rights-matrix'

setUp()

describe('what lies in a network that one does not enter is not there', () => {
  type Things = Record<
    | 'network'
    | 'entry'
    | 'device'
    | 'group'
    | 'login'
    | 'alert'
    | 'tag'
    | 'user'
    | 'key'
    | 'hook'
    | 'delivery'
    | 'target'
    | 'maintenance'
    | 'capture'
    | 'guest'
    | 'session'
    | 'vouchers'
    | 'voucher'
    | 'template',
    number
  > &
    Record<'job' | 'adoption' | 'push' | 'diagnosis' | 'speedTest' | 'certificate', string> & {
      document(kind: string): string
    }
  const at = 1000
  const uuid = (tail: number) => `00000000-0000-4000-8000-${String(tail).padStart(12, '0')}`
  let made = 0

  const hookRow = { level: 15, state: 'off', logged: 0, createdAt: at } as const
  const deliveryRow = { network: null, body: '{}', state: 'done', createdAt: at, nextAt: at } as const

  /** One of everything in a network. */
  function fill(place: number, owned: number): Things {
    const { db } = manager.runtime
    made += 1
    const own = { organization: owned, network: place }
    const name = `thing ${made}`
    const group = db
      .insert(groups)
      .values({ ...own, name, createdAt: at })
      .returning()
      .get().id
    const login = db
      .insert(credentials)
      .values({ ...own, name, type: 'snmp2c', secret: '', createdAt: at, changedAt: at })
      .returning()
      .get().id
    const row = {
      address: `127.9.9.${made}`,
      port: 9,
      driver: 'snmp',
      kind: 'switch',
      status: 0,
      statusAt: at,
    } as const
    const device = db
      .insert(devices)
      .values({ ...own, ...row, name, createdAt: at })
      .returning()
      .get().id
    const alert = db
      .insert(alerts)
      .values({ ...own, level: 5, type: 'noticeTest', at })
      .returning()
      .get().id
    const [job, adoption, push] = [uuid(made * 10), uuid(made * 10 + 1), uuid(made * 10 + 2)] as [
      string,
      string,
      string,
    ]
    const done = { ...own, state: 'done', createdAt: at } as const
    db.insert(jobs)
      .values({ ...done, id: job, type: 'push', progress: '{"deployments":[],"stopped":false}' })
      .run()
    db.insert(jobs)
      .values({ ...done, id: adoption, type: 'adopt', progress: '{"items":[]}' })
      .run()
    const diagnosis = uuid(made * 10 + 3)
    const looked = { request: { tool: 'neighbours' }, device: null, by: name, lines: [], more: 0 }
    db.insert(jobs)
      .values({ ...done, id: diagnosis, type: 'diagnosis', progress: JSON.stringify(looked) })
      .run()
    const speedTest = uuid(made * 10 + 5)
    const server = { type: 'iperf3', host: '203.0.113.1', port: 5201 }
    const measured = { server, device: null, by: name, phase: 'latency', figures: {} }
    db.insert(jobs)
      .values({ ...done, id: speedTest, type: 'speedTest', progress: JSON.stringify(measured) })
      .run()
    db.insert(deployments)
      .values({ id: push, organization: owned, device, state: 'failed', by: 'x', createdAt: at })
      .run()
    const tag = db.insert(tags).values({ organization: owned, name }).returning().get().id
    const who = { organization: owned, account: `thing${made}`, username: name, role: 'guestEditor', password: '' }
    const user = db
      .insert(accounts)
      .values({ ...who, state: 'inactivated', passwordChangedAt: at, createdAt: at })
      .returning()
      .get().id
    db.insert(accountNetworks).values({ account: user, network: place }).run()
    const key = keyed(manager, { id: user }, { authorities: ['devices'] }).id
    const hook = db
      .insert(webhooks)
      .values({ account: user, name, url: 'https://hooks.test/', secret: '', topics: '[]', ...hookRow })
      .returning()
      .get().id
    const delivery = db
      .insert(webhookDeliveries)
      .values({ webhook: hook, event: name, topic: 'alerts', type: 'alert.raised', ...deliveryRow })
      .returning()
      .get().id
    const target = db
      .insert(noticeTargets)
      .values({ organization: owned, name, data: '{}', told: 0, createdAt: at })
      .returning()
      .get().id
    const maintenance = db
      .insert(maintenanceWindows)
      .values({ network: place, name, data: '{"name":"x","time":"02:00","date":"2026-01-01"}', createdBy: 'x' })
      .returning()
      .get().id
    const capture = db
      .insert(syslogCaptures)
      .values({ network: place, severity: 7, startedAt: at, startedBy: 'x', until: at + 60_000 })
      .returning()
      .get().id
    const guestRow = { method: 0, started: at, ends: at, idleSeconds: 300, activeAt: at, countedAt: at, state: 1 }
    const guest = db
      .insert(guests)
      .values({ ...own, ...guestRow, lan: name, lanName: name, mac: name })
      .returning()
      .get().id
    const session = db
      .insert(radiusSessions)
      .values({
        network: place,
        key: name,
        name,
        mac: '02:00:00:00:00:01',
        nas: '192.0.2.9',
        started: at,
        seen: Date.now(),
      })
      .returning()
      .get().id
    const terms = {
      seconds: 60,
      validityDays: 1,
      maxDevices: 1,
      bytesPer: 'voucher',
      resetDays: 0,
      resetHour: 0,
    } as const
    const vouchersOf = db
      .insert(voucherGroups)
      .values({ ...own, ...terms, name, notes: '', createdAt: at, createdBy: 'x' })
      .returning()
      .get()
    makeVouchers(manager.runtime, db, vouchersOf, { quantity: 1, now: at })
    const voucher =
      db
        .select({ id: max(vouchers.id) })
        .from(vouchers)
        .get()?.id ?? 0
    const document = (kind: string) => {
      made += 1
      const id = uuid(made * 10 + 5)
      const stored = {
        id,
        organization: owned,
        scope: 'network',
        scopeId: place,
        kind,
        name: `${kind} ${made}`,
      } as const
      db.insert(documents)
        .values({ ...stored, data: '{}', createdAt: at, changedAt: at, changedBy: 'x' })
        .run()
      return id
    }
    const by = { account: 'x', address: '10.0.0.9', action: 'edit', object: 'device', name } as const
    appendLog(db, manager.runtime.secrets, { ...own, ...by, at, fields: {} })
    const entry =
      db
        .select({ id: max(changelog.id) })
        .from(changelog)
        .get()?.id ?? 0
    return {
      network: place,
      entry,
      device,
      group,
      login,
      alert,
      tag,
      user,
      key,
      hook,
      delivery,
      target,
      maintenance,
      capture,
      guest,
      vouchers: vouchersOf.id,
      voucher,
      session,
      template: db
        .insert(voucherTemplates)
        .values({ ...own, name: 'Print', data: '{"format":"a4"}', createdAt: at })
        .returning()
        .get().id,
      job,
      adoption,
      push,
      certificate: db
        .insert(certificates)
        .values({
          ...{ id: uuid(made * 10 + 4), organization: owned, network: place, name: `person ${made}`, use: 'client' },
          ...{ serial: String(made), certificate: 'x', key: 'x', validFrom: at, validTo: Date.now() + 86_400_000 },
        })
        .returning()
        .get().id,
      diagnosis,
      speedTest,
      document,
    }
  }
  const nothing: Things = {
    ...{
      network: 987_654,
      entry: 987_654,
      device: 987_654,
      group: 987_654,
      login: 987_654,
      alert: 987_654,
      tag: 987_654,
      user: 987_654,
      key: 987_654,
      hook: 987_654,
      delivery: 987_654,
      target: 987_654,
      maintenance: 987_654,
      capture: 987_654,
      guest: 987_654,
      session: 987_654,
      vouchers: 987_654,
      voucher: 987_654,
      template: 987_654,
    },
    ...{
      job: uuid(987_654),
      adoption: uuid(987_654),
      push: uuid(987_654),
      certificate: uuid(987_654),
      document: () => uuid(987_654),
    },
    diagnosis: uuid(987_654),
    speedTest: uuid(987_654),
  }

  const login = { type: 'snmp2c', community: 'public' }
  const place = { country: 'PT', timezone: 'Europe/Lisbon' }
  const takes = { id: 'x', options: ['x'] }
  /** A call that names a thing, with the least input that names it. */
  const lasting = { days: 1, hours: 0, minutes: 0 }
  const naming: Record<string, (things: Things) => Record<string, unknown>> = {
    'networks/switch': one => ({ networkId: one.network }),
    'networks/edit': one => ({ id: one.network, networkName: 'New', ...place }),
    'networks/delete': one => ({ id: one.network }),
    'networks/default': one => ({ id: one.network }),
    'networks/clone': one => ({ id: one.network, networkName: 'New' }),
    'networks/export': one => ({ id: one.network }),
    'networks/share/add': one => ({ networkId: one.network, account: 'nobodythere' }),
    'networks/share/list': one => ({ networkId: one.network }),
    'networks/share/accept': one => ({ networkIds: [one.network] }),
    'networks/share/reject': one => ({ networkIds: [one.network] }),
    'networks/share/return': one => ({ networkId: one.network }),
    'networks/share/edit': one => ({ id: one.network, access: 'manage' }),
    'networks/share/cancel': one => ({ id: one.network }),
    'networks/transfer/start': one => ({ networkId: one.network, account: 'nobodythere' }),
    'networks/transfer/confirm': one => ({ networkId: one.network }),
    'networks/transfer/cancel': one => ({ networkId: one.network }),
    'networks/transfer/item': one => ({ networkId: one.network }),
    'networks/sort': one => ({ ids: [places.here, one.network] }),
    'networks/global-ssid': one => ({ id: one.document('ssid'), networkIds: [one.network] }),
    'groups/tree': one => ({ siteId: one.group }),
    'groups/check': one => ({ siteId: one.group }),
    'groups/device-types': one => ({ groupId: one.group }),
    'groups/business': one => ({ groupId: one.group }),
    'groups/password': one => ({ groupId: one.group, password: 'long enough 1' }),
    'groups/password/result': one => ({ jobId: one.job }),
    'groups/info': one => ({ groupId: one.group }),
    'groups/devices': one => ({ groupId: one.group }),
    'groups/add': one => ({ groupName: 'New', parentId: one.group }),
    'groups/edit': one => ({ groupId: one.group, groupName: 'New' }),
    'groups/delete': one => ({ groupId: one.group }),
    'groups/transfer': one => ({ deviceIds: [one.device], groupId: -1 }),
    'changes/discard': one => ({ id: one.document('ssid'), revision: 1 }),
    'devices/push/preview': one => ({ deviceId: one.device }),
    'devices/push': one => ({ deviceIds: [one.device] }),
    'devices/push/result': one => ({ jobId: one.job }),
    'devices/config/history': one => ({ deviceId: one.device }),
    'devices/config/get': one => ({ deploymentId: one.push }),
    'devices/config/compare': one => ({ from: one.push }),
    'devices/config/restore': one => ({ deploymentId: one.push }),
    'devices/config/check': one => ({ deviceId: one.device }),
    'devices/left-out/list': one => ({ deviceId: one.device }),
    'devices/left-out/count': one => ({ ids: [one.device] }),
    'devices/config/adopt': one => ({ deviceId: one.device }),
    'import/list': one => ({ deviceId: one.device }),
    'import/add': one => ({ deviceId: one.device, items: [takes] }),
    'import/release': one => ({ deviceId: one.device, items: ['x'] }),
    'devices/switch/ports': one => ({ deviceId: one.device }),
    'devices/switch/port-save': one => ({ deviceId: one.device, ports: ['x'], profile: null }),
    'settings/sources': one => ({ source: 'interfaces', device: one.device }),
    'wifi/radios/get': one => ({ scope: { device: one.device } }),
    'wifi/ssids/join': one => ({ id: one.document('ssid') }),
    'devices/list': one => ({ filter: { groupId: one.group } }),
    'devices/info': one => ({ id: one.device }),
    'topology/uplink': one => ({ deviceId: one.device }),
    'topology/links/save': one => ({ upper: one.device, lower: one.device, uplink: false }),
    'topology/links/delete': () => ({ ids: [987_654] }),
    'devices/usage': one => ({ id: one.device }),
    'devices/traffic': one => ({ ids: [one.device] }),
    'devices/event-log': one => ({ id: one.device }),
    'devices/sync': one => ({ id: one.device }),
    'devices/config/save': one => ({ id: one.device, name: 'New' }),
    'devices/delete': one => ({ ids: [one.device] }),
    'devices/move': one => ({ ids: [one.device], groupId: -1 }),
    'devices/replace': one => ({ id: one.device, by: 555_555 }),
    'devices/power/info': one => ({ id: one.device }),
    'devices/power/cycle': one => ({ id: one.device }),
    'devices/reboot': one => ({ ids: [one.device] }),
    'clients/release': one => ({ deviceId: one.device, mac: '02:00:00:00:00:01', address: '192.0.2.7' }),
    'devices/locate': one => ({ id: one.device }),
    'devices/set-login': one => ({ id: one.device, password: 'long enough 1' }),
    'devices/adopt': one => ({ devices: [{ address: '127.9.9.250' }], credentialId: one.login }),
    'devices/adopt/result': one => ({ jobId: one.adoption }),
    'devices/adopt/cancel': one => ({ jobId: one.adoption }),
    'devices/discover': one => ({ segments: ['192.168.250.1'], credentialIds: [one.login] }),
    'devices/add': one => ({ address: '127.9.9.250', groupId: one.group, credential: login }),
    'devices/import': one => ({ file: 'address,community\n127.9.9.250,x\n', groupId: one.group }),
    'credentials/save': one => ({ id: one.login, name: 'New' }),
    'credentials/public-key/get': one => ({ id: one.login }),
    'credentials/delete': one => ({ id: one.login }),
    'credentials/order': one => ({ ids: [one.login] }),
    'credentials/test': one => ({ deviceId: one.device, credential: login }),
    'credentials/rotate': one => ({ id: one.login, credential: login }),
    'clients/list': one => ({ deviceId: one.device }),
    'exports/clients': one => ({ deviceId: one.device }),
    'changelog/list': one => ({ filter: { network: one.network } }),
    'changelog/get': one => ({ id: one.entry }),
    'changelog/revert': one => ({ id: one.entry }),
    'vouchers/groups/get': one => ({ id: one.vouchers }),
    'vouchers/groups/save': one => ({ ...{ id: one.vouchers, revision: 1, name: 'New' }, ...lasting, validityDays: 1 }),
    'vouchers/groups/delete': one => ({ ids: [one.vouchers] }),
    'vouchers/groups/print': one => ({ groupId: one.vouchers, format: 'a4' }),
    'vouchers/groups/print/result': one => ({ jobId: one.job }),
    'vouchers/groups/print/file': one => ({ jobId: one.job }),
    'vouchers/list': one => ({ groupId: one.vouchers }),
    'vouchers/states': one => ({ groupId: one.vouchers }),
    'vouchers/add': one => ({ groupId: one.vouchers, quantity: 1 }),
    'vouchers/delete': one => ({ groupId: one.vouchers, ids: [one.voucher] }),
    'vouchers/renew': one => ({ groupId: one.vouchers, ids: [one.voucher] }),
    'exports/vouchers': one => ({ groupId: one.vouchers }),
    'vouchers/templates/save': one => ({ id: one.template, revision: 1, name: 'Other', format: 'a4' }),
    'vouchers/templates/delete': one => ({ ids: [one.template] }),
    'vouchers/desk/sell': one => ({ act: uuid(1), groupId: one.vouchers }),
    'vouchers/desk/code': one => ({ id: one.voucher }),
    'vouchers/desk/extend': one => ({ act: uuid(2), id: one.voucher }),
    'vouchers/desk/add-time': one => ({ act: uuid(6), id: one.voucher, days: 0, hours: 1, minutes: 0 }),
    'vouchers/desk/speed': one => ({ act: uuid(7), id: one.voucher, downloadKbps: 512, uploadKbps: null }),
    'vouchers/desk/free': one => ({ act: uuid(3), id: one.voucher, mac: '02:00:00:00:00:01' }),
    'vouchers/desk/void': one => ({ act: uuid(4), id: one.voucher }),
    'vouchers/desk/mail': one => ({ act: uuid(5), id: one.voucher, email: 'guest@example.test' }),
    'alerts/read': one => ({ ids: [one.alert] }),
    'alerts/delete': one => ({ ids: [one.alert] }),
    'alerts/list': one => ({ filter: { deviceId: one.device } }),
    'alerts/detail': one => ({ id: one.alert }),
    'alerts/acknowledge': one => ({ id: one.alert }),
    'guests/remove': one => ({ ids: [one.guest] }),
    'guests/page/preview': () => ({ splash: { name: 'x' } }),
    'radius/sessions/disconnect': one => ({ id: one.session }),
    'certificates/revoke': one => ({ id: one.certificate }),
    'exports/certificate': one => ({ id: one.certificate, what: 'key' }),
    'guests/policy/get': one => ({ id: one.document('portal') }),
    'guests/policy/save': one => ({ id: one.document('portal'), revision: 1 }),
    'guests/page/get': one => ({ id: one.document('splash') }),
    'guests/page/save': one => ({ id: one.document('splash'), revision: 1 }),
    'guests/files/upload': () => ({ sort: 'logo', name: 'x.png' }),
    'guests/files/get': () => ({ id: uuid(6) }),
    'guests/files/show': () => ({ id: uuid(6) }),
    'guests/ads/save': one => ({ id: one.document('splash'), revision: 1 }),
    'guests/forget': one => ({ ids: [one.guest] }),
    'guests/extend': one => ({ ids: [one.guest], minutes: 5 }),
    'diagnostics/run': one => ({ deviceId: one.device, request: { tool: 'neighbours' } }),
    'diagnostics/result': one => ({ id: one.diagnosis }),
    'diagnostics/stop': one => ({ id: one.diagnosis }),
    'diagnostics/delete': one => ({ ids: [one.diagnosis] }),
    'dashboard/speed-test/start': one => ({
      ...{ deviceId: one.device, server: { type: 'iperf3', host: '203.0.113.1' } },
    }),
    'dashboard/speed-test/result': one => ({ id: one.speedTest }),
    'dashboard/speed-test/stop': one => ({ id: one.speedTest }),
    'dashboard/speed-test/delete': one => ({ ids: [one.speedTest] }),
    'clients/lock/remove': one => ({ ids: [one.document('blockedClient')] }),
    'exports/capture': one => ({ id: one.diagnosis }),
    'logs/find': one => ({ device: one.device }),
    'logs/target': one => ({ deviceId: one.device }),
    'syslog/start': one => ({ deviceId: one.device }),
    'syslog/stop': one => ({ id: one.capture }),
    'exports/logs': one => ({ device: one.device }),
    'users/edit': one => ({ id: one.user, username: 'Other 1', role: 'guestEditor' }),
    'users/disable': one => ({ id: one.user, disabled: true }),
    'users/unlock': one => ({ id: one.user }),
    'mfa/force': one => ({ id: one.user }),
    'users/delete': one => ({ id: one.user }),
    'developer-api/keys/delete': one => ({ id: one.key }),
    'webhooks/save': one => ({ id: one.hook, name: 'New', url: 'https://1.1.1.1/', topics: ['alerts'] }),
    'webhooks/switch': one => ({ id: one.hook, on: false }),
    'webhooks/rotate': one => ({ id: one.hook }),
    'webhooks/delete': one => ({ id: one.hook }),
    'webhooks/test': one => ({ id: one.hook }),
    'webhooks/deliveries/list': one => ({ webhookId: one.hook }),
    'webhooks/deliveries/get': one => ({ id: one.delivery }),
    'webhooks/deliveries/retry': one => ({ id: one.delivery }),
    'alerts/maintenance/save': one => ({ id: one.maintenance, fields: {} }),
    'alerts/maintenance/delete': one => ({ id: one.maintenance }),
    'alerts/targets/save': one => ({ id: one.target, fields: {} }),
    'alerts/targets/delete': one => ({ id: one.target }),
    'alerts/targets/test': one => ({ id: one.target, fields: {} }),
    'users/resend-invitation': one => ({ id: one.user }),
  }
  const generic = (path: string): ((things: Things) => Record<string, unknown>) | undefined => {
    const [, kind = '', verb = ''] = /^settings\/(\w+)\/(\w+)$/.exec(path) ?? []
    const many = every.some(call => call.path === `settings/${kind}/list`)
    if (verb === 'delete' || verb === 'sort') return one => ({ ids: [one.document(kind)] })
    if (verb === 'get') return one => (many ? { id: one.document(kind) } : { scope: { device: one.device } })
    if (verb !== 'save') return undefined
    return one => (many ? { id: one.document(kind), revision: 1 } : { scope: { group: one.group }, revision: 0 })
  }
  const inputOf = (path: string) => naming[path] ?? generic(path)

  /** Names of what stands for a thing in inputs. */
  const names = /^(id|ids|.*Ids?|from|by|filter|scope|device|tags)$/
  /** Of the whole organization, or of nobody's network. */
  const shared = [
    // By state and method.
    'guests/list',
    'networks/tags/edit',
    'networks/tags/delete',
    'networks/list',
    'networks/add',
    'exports/log',
    'roles/save',
    'roles/delete',
    'saml/roles/save',
    'saml/roles/delete',
    'ldap/save',
    'ldap/test',
    'ldap/roles/save',
    'ldap/roles/delete',
    'ip-whitelist/update',
    'ip-whitelist/delete',
    'users/list',
    'users/sign-ups/accept',
    'users/sign-ups/refuse',
    'email/check',
    'mail/retry',
    'mail/delete',
    'system-settings/smtp/save',
    'system-settings/test-email',
    'companies/edit',
    'companies/invite',
    'companies/delete',
    'companies/associate',
    'companies/disassociate',
    'feedback/download',
    'feedback/delete',
  ]

  const fieldsOf = (call: AnyCall) => {
    const shape = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' })
    return Object.keys(shape.properties ?? {})
  }

  test('each call that names a thing is tried', () => {
    const untried = every
      .filter(call => !['open', 'session'].includes(call.authority) || call.scope === 'network')
      .filter(call => fieldsOf(call).some(field => names.test(field)))
      .map(call => call.path)
      .filter(path => !inputOf(path) && !shared.includes(path))
    expect(untried).toEqual([])
  })

  test('its number answers as one that nothing has, and nothing changes', async () => {
    const other = fill(places.other, 1)
    const far = fill(places.far, elsewhere)
    const held = [
      'organization_network_add',
      'organization_changelog_edit',
      'organization_api',
      ...authoritiesOf('networkAdministrator'),
    ]
    const browser = await person(manager, { role: role(manager, 'Everything', held), networks: [places.here] })
    const tried = every.flatMap(call => {
      const input = inputOf(call.path)
      return input ? [{ call, input }] : []
    })
    const answer = async (call: AnyCall, input: (things: Things) => object, things: Things) => {
      const body = { ...(call.scope === 'network' && { networkId: places.here }), ...input(things) }
      const reply = await browser.raw(call.path, { method: 'POST', body: JSON.stringify(body) })
      if (reply.headers.get('content-disposition')) return `${call.path} ${await reply.text()}`
      const { retCode, data } = (await reply.json()) as { retCode: number; data: object }
      const text = JSON.stringify(data).replaceAll(/00000000-0000-4000-8000-\d+/g, '#')
      // The number that was sent comes back: it is not what tells them apart.
      return `${call.path} ${retCode} ${text.replaceAll(/"(id|networkId|deviceId)":\d+/g, '"$1":#')}`
    }
    const seen: [string, string, string][] = []
    for (const { call, input } of tried)
      seen.push([await answer(call, input, nothing), await answer(call, input, other), await answer(call, input, far)])
    expect(seen.filter(([missing, one, two]) => one !== missing || two !== missing)).toEqual([])
    const shown = await owner.post('devices/info', { networkId: places.other, id: other.device })
    expect(shown).toMatchObject({ retCode: 0, data: { name: `thing 1` } })
  })
})

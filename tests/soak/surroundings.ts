// A device that can do everything, and the documents among which any one has an effect on it.
import { createHash } from 'node:crypto'
import { check, type Data, type Kind } from '@/model/kind'
import { type KindId, kindIds, loadKind } from '@/model/registry'
import { type PlanInput, renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, Driver } from '@/server/drivers/driver'
import type { Facts, Observation } from '@/server/drivers/observation'
import { networkRoles } from '../drivers/_network-roles'
import { type Random, randomDocument } from '../model/_random'

const abilities = [
  'root',
  'systemd',
  'dnsmasq',
  'nftset',
  'nftables',
  'hostapd',
  'wifi',
  'tc',
  'timesyncd',
  'rsyslog',
  'sshd',
  'snmpd',
  'pppoe',
  'inadyn',
  'leds',
  'fw4',
  'uci',
  'usteer',
]
export const facts: Facts = { kind: 'gateway', capabilities: abilities, mac: '02:00:5e:10:00:01', hostname: 'fuzz' }
const radio = (n: number, band: '2g' | '5g' | '6g') => ({
  ...{
    key: `radio${n}`,
    name: `radio${n}`,
    interface: `wlan${n}`,
    band,
    driver: 'nl80211' as const,
    country: 'DE',
    up: true,
  },
})
const port = (name: string, more: Partial<NonNullable<Observation['interfaces']>[number]>) => ({
  ...{ key: name, name, type: 'ethernet' as const, adminUp: true, up: true },
  ...more,
})
/** A device that can do everything: a gateway with radios, and a switch's ports for the driver that writes those. */
export const observation: Observation = {
  takenAt: 0,
  depth: 'full',
  account: 'admin',
  login: 'publickey',
  interfaces: [
    port('eth0', { defaultRoute: true, addresses: ['203.0.113.2/24'] }),
    port('eth1', { addresses: ['10.20.30.1/24'] }),
    port('br-lan', { type: 'bridge', addresses: ['10.20.30.1/24'] }),
    port('wan@eth1', {}),
    port('lan1.20', {}),
  ],
  ports: ['eth0', 'eth1', 'br-lan'].map((name, at) => ({
    ...{ number: at + 1, interface: name, label: name, nativeVlan: 1, poe: { enabled: true } },
  })),
  radios: [radio(0, '2g'), radio(1, '5g'), radio(2, '6g')],
  networks: [{ name: 'lan', device: 'br-lan' }],
  networkRoles,
}

export const id = (n: number) => `0b0e3a52-8f8f-4d43-9a44-0d7a3f2a1c${String(n).padStart(2, '0')}`
export type Kinds = ReadonlyMap<string, Kind>

/** A document with what it refers to as data, as a plan has it. */
export function documentOf(kinds: Kinds, kind: Kind, data: Data, random: Random, own = id(1)): DesiredDocument {
  const followed = Object.entries(kind.refs).flatMap(([field, target]) => {
    const to = kinds.get(target)
    if (data[field] === undefined || !to) return []
    // Another id is another document.
    if (data[field] === ids[target]?.[1]) random()
    const one = neighbour(target)?.data ?? documentOf(kinds, to, randomDocument(to, random, { ids }), random).data
    return [[field, Array.isArray(data[field]) ? [one] : one] as const]
  })
  const document = { ...data, ...Object.fromEntries(followed) }
  return { id: kind.single ? kind.id : own, kind: kind.id, name: String(data[kind.title] ?? ''), data: document }
}
export const ids = Object.fromEntries(kindIds.map(kind => [kind, [id(90), id(91)]]))

/** What some kinds say nothing without: networks in the air, a LAN, a way out. */
export const around: readonly DesiredDocument[] = [
  {
    ...{ id: id(80), kind: 'ssid', name: 'Air' },
    data: { name: 'Air', security: 'wpa3', key: 'correct horse', bands: ['2g', '5g', '6g'] },
  },
  {
    ...{ id: id(82), kind: 'wan', name: 'Second' },
    // What is left out would count as taken by it: one way has IPv6, and one dynamic DNS (rule P8).
    data: { name: 'Second', interface: 'eth0', connection: 'dhcp', metric: 1, weight: 2, ipv6: 'off', ddns: 'off' },
  },
  {
    ...{ id: id(84), kind: 'policyRoute', name: 'Other' },
    data: { name: 'Other', source: '10.20.30.0/25', metric: 5, wan: { name: 'Second', interface: 'eth0' } },
  },
  {
    ...{ id: id(81), kind: 'lan', name: 'Lan' },
    data: {
      ...{ name: 'Lan', vlan: 20, address: '192.168.20.1/24', ipv6: 'delegated' },
      ...{ poolStart: '192.168.20.100', poolEnd: '192.168.20.200' },
    },
  },
]

/** A plan has the address of a server, whatever its name. */
const addressOf = (server: unknown) =>
  typeof server !== 'string' || /^[\d.]+$|:/.test(server)
    ? server
    : `10.${[...createHash('sha256').update(server).digest().subarray(0, 2)].join('.')}.9`
const byAddress = (radius: Data): Data => ({
  ...radius,
  ...Object.fromEntries(
    ['server', 'secondServer'].flatMap(field =>
      radius[field] === undefined ? [] : [[field, addressOf(radius[field])]],
    ),
  ),
})

const user = (kind: KindId, data: Data): DesiredDocument => ({ id: id(83), kind, name: 'User', data })
/** What stands alone nowhere is looked at where it is used. */
const users: Readonly<Record<string, (data: Data) => DesiredDocument>> = {
  radius: radius => user('ssid', { name: 'Staff', security: 'wpa2Enterprise', radius: byAddress(radius) }),
  trafficLogs: () => ({
    ...{ id: 'system', kind: 'system', name: '' },
    data: { syslog: 'udp', syslogHost: '10.20.30.9' },
  }),
  ppsk: () => user('ssid', { name: 'Own keys', security: 'ppsk' }),
  schedule: schedule => user('ssid', { name: 'Hours', security: 'open', schedule }),
  portal: portal =>
    user('lan', {
      ...{ name: 'Guests', vlan: 30, address: '192.168.30.1/24', portal },
      ...{ poolStart: '192.168.30.100', poolEnd: '192.168.30.200' },
    }),
}
/** What a document needs so that the rest has an effect. */
export const placed: Readonly<Record<string, Data>> = {
  portProfile: { ports: ['eth0'] },
  wan: { interface: 'eth1', metric: 1 },
  policyRoute: { enabled: true },
  bandwidthRule: { enabled: true },
  wiredRule: { enabled: true },
  wirelessRule: { enabled: true },
  steering: { enabled: true },
}
/** For people alone; what needs two ports that can be one link; and which device is meant. */
export const labels = ['note', 'lacpTimeout', 'switches']
/** What no device is told: the manager itself does it, or tells it with each guest. */
export const managers: Readonly<Record<string, readonly string[]>> = {
  smsGateway: [
    ...['provider', 'countryCodes', 'method', 'url', 'headers', 'format', 'body', 'success', 'secret'],
    ...['account', 'token', 'sender', 'server'],
  ],
  splash: [
    'colour',
    'backdrop',
    'texts',
    'logo',
    'background',
    'ads',
    'adImages',
    'adShow',
    'adVideo',
    'watchSeconds',
    'page',
  ],
  logRule: [...['enabled', 'text', 'severity', 'facility', 'count', 'minutes', 'level', 'message', 'quietMinutes']],
  trafficLogs: ['lawAccepted', 'keepDays', 'logServer'],
  timePolicy: ['enabled', 'target', 'macs', 'ssid', 'days', 'hours', 'minutes', 'resetDays', 'resetTime'],
  radiusUser: ['enabled', 'password', 'vlan'],
  radiusClient: ['address', 'secret'],
  portal: [
    ...[
      'methods',
      'password',
      'questions',
      'letter',
      'mailMinutes',
      'keepDays',
      'radius',
      'sms',
      'smsText',
      'directoryType',
    ],
    ...['directorySecurity', 'directoryHost', 'directoryPort', 'directoryCa', 'directoryAdmin', 'directorySecret'],
    ...['directoryBase', 'directoryCondition'],
    ...['days', 'hours', 'minutes', 'download', 'upload', 'landing', 'terms', 'splash'],
    ...['passwordDays', 'dailyMinutes', 'dailyData', 'monthlyData', 'maxDevices', 'schedule'],
    ...['idleSignIn', 'signInAt', 'externalKey', 'wifi4euLanguage', 'wifi4euNetwork'],
  ],
}
export const gate = {
  ...{ url: 'http://10.20.30.9:8880/portal', key: '00112233445566778899aabbccddeeff' },
  api: { name: 'wifi.house.example', known: true },
}

export const neighbour = (kind: string | undefined) => around.find(one => one.kind === kind)

export type Renders = Pick<Driver<unknown>, 'renderers'>

/** What a device is asked with the document among what it needs. */
export function inputOf(document: DesiredDocument): PlanInput {
  const user = users[document.kind]?.(document.data)
  const documents = [...around, document, ...(user ? [user] : [])]
  return { facts, observation, documents, confirmSeconds: 90, imported: [], gate }
}
export const render = ({ renderers }: Renders, document: DesiredDocument) => renderAll(renderers, inputOf(document))

export function randomData(kind: Kind, random: Random): Data {
  const others = around.filter(one => one.kind === kind.id).map(one => one.data)
  const data = randomDocument(kind, random, { ids, others })
  const checked = check(kind, { ...data, ...placed[kind.id] })
  return 'data' in checked ? checked.data : data
}

export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32
  }
}

export const allKinds = async (): Promise<Kinds> =>
  new Map(await Promise.all(kindIds.map(async one => [one as string, await loadKind(one)] as const)))

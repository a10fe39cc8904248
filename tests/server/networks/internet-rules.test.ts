// The rules of LAN, Internet, traffic and firewall settings at their edges, as somebody who uses the calls meets them.
import { eq } from 'drizzle-orm'
import { devices } from '@/db/schema'
import { desiredOf, loadKinds, networkDocuments } from '@/server/devices/change/plan/desired'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'

let manager: Manager
let browser: Browser
beforeAll(async () => {
  manager = await startTestManager()
  browser = await finishedWizard(manager)
})
afterAll(() => manager.stop())

type Fields = Record<string, unknown>
const everywhere = { all: true, groups: [], devices: [] }
const bases: Record<string, Fields> = {
  lan: { name: 'Guests', vlan: 20, address: '10.20.0.1/24', poolStart: '10.20.0.10', poolEnd: '10.20.0.99' },
  wan: { name: 'Fibre', interface: 'eth0', metric: 200 },
  staticRoute: { name: 'Lab', destination: '10.9.0.0/16', gateway: '10.20.0.2' },
}
const fixed = { connection: 'static', address: '198.51.100.2', prefix: 30, gateway: '198.51.100.1' }
const fixed6 = { ipv6: 'static', address6: '2001:db8::2', prefix6: 64, gateway6: '2001:db8::1' }
const named = { ddns: 'dyn', ddnsHost: 'h.test', ddnsUser: 'u', ddnsPassword: 'p' }
const option = (code: number, type: string, value: string) => [{ code, type, value }]
const hex = (digits: number) => option(43, 'hex', 'ab'.repeat(digits).slice(0, digits))

/** Saves one more document beside `others`, and takes all of them away again; the fields that the call refuses. */
async function refused(kind: string, input: Fields, others: Fields[] = []): Promise<unknown> {
  const save = (data: Fields) => browser.post(`settings/${kind}/save`, { ...bases[kind], ...data })
  const ids: string[] = []
  for (const other of others) {
    const { retCode, data } = await save(other)
    expect([other, retCode]).toEqual([other, 0])
    ids.push(String(data.id))
  }
  const { retCode, data } = await save(input)
  if (retCode === 0) ids.push(String(data.id))
  // The default way stays as long as it is one: another of a better rank lets it go.
  for (const id of ids) await browser.post(`settings/${kind}/delete`, { ids: [id] })
  return retCode === 0 ? [] : Object.keys((data.fields as object | undefined) ?? { retCode })
}

beforeAll(() => browser.post('settings/wan/save', { name: 'Default', interface: 'eth9', metric: 1 }))

const edges: [string, string, string, unknown[], unknown[], Fields?][] = [
  ['P1', 'wan', 'address', ['198.51.100.2'], ['198.51.100', '127.0.0.1', '224.0.0.1', '1.2.3.256', 7], fixed],
  ['P1', 'wan', 'prefix', [8, 30], [7, 33], fixed],
  ['P1', 'wan', 'address6', ['2001:db8::7'], ['2001:db8', '::1', 'ff02::1', '2001:db8::7/64'], fixed6],
  ['P1', 'wan', 'prefix6', [1, 128], [0, 129], fixed6],
  ['P1', 'staticRoute', 'destination', ['0.0.0.0/0', '10.0.0.1/32'], ['10.0.0.1/8', '10.0.0.0/33', '10.0.0.0']],
  ['P3', 'lan', 'poolStart', ['10.20.0.2', '10.20.0.98'], ['10.20.0.0', '10.20.0.1', '10.19.0.5', '']],
  ['P3', 'lan', 'poolEnd', ['10.20.0.11', '10.20.0.254'], ['10.20.0.10', '10.20.0.9', '10.20.0.255', '10.20.1.1']],
  ['P3', 'lan', 'dns2', ['9.9.9.8'], ['9.9.9.9', '127.0.0.1'], { dns1: '9.9.9.9' }],
  ['P4', 'lan', 'lease', [2, 2880], [1, 2881, '120']],
  ['P7', 'wan', 'vlanPriority', [0, 7], [-1, 8], { vlan: 7 }],
  ['P7', 'wan', 'pdLength', [56, 64], [55, 65], { ipv6: 'auto', delegatedLength: 56 }],
  ['P7', 'wan', 'pdLength', [60, 64], [59], { ...fixed6, delegated: '2001:db8:1::/60' }],
  ['P14', 'wan', 'gateway', ['198.51.100.1'], ['198.51.100.2', '198.51.100.3', '198.51.100.9', 'router'], fixed],
  ['P14', 'wan', 'dns1', ['9.9.9.9'], ['9.9.9', '224.0.0.1', 'dns.test']],
  ['P14', 'lan', 'domain', ['lan', 'guest.test'], ['-a', 'a b', 'a..b']],
  ['P8', 'wan', 'ddnsHost', ['home.example.org'], ['', 'a b', 'http://a'], named],
  ['N14', 'lan', 'vlan', [1, 665, 667, 4093], [0, 666, 4094]],
  ['N19', 'wan', 'metric', [2, 255], [0, 256]],
  ['N19', 'staticRoute', 'metric', [1, 255], [0, 256]],
]
test.each(edges)(
  '%s: %s.%s takes its edges and refuses what lies beyond',
  async (_rule, kind, field, good, wrong, more = {}) => {
    for (const value of good) expect([value, await refused(kind, { ...more, [field]: value })]).toEqual([value, []])
    for (const value of wrong)
      expect([value, await refused(kind, { ...more, [field]: value })]).toEqual([value, [field]])
  },
)

const rows: [string, Fields, string[]][] = [
  ['G20', { options: option(2, 'text', 'a') }, []],
  ['G20', { options: option(254, 'text', 'a'.repeat(255)) }, []],
  ['G20', { options: option(254, 'text', 'a'.repeat(256)) }, ['options']],
  ...[1, 50, 54, 56, 58, 59, 61, 82, 255].map((code): [string, Fields, string[]] => [
    'G20',
    { options: option(code, 'text', 'a') },
    ['options.0.code'],
  ]),
  ['P15', { options: hex(4) }, []],
  ['P15', { options: hex(256) }, []],
  ...[2, 5, 258].map((digits): [string, Fields, string[]] => [
    'P15',
    { options: hex(digits) },
    [expect.stringMatching(/^options/)],
  ]),
  ['N23', { options: [...option(43, 'text', 'a'), ...option(43, 'text', 'b')] }, ['options.1.code']],
  [
    'N23',
    { leases: ['10.20.0.7', '10.20.0.7'].map((address, at) => ({ mac: `02000000000${at}`, address })) },
    ['leases.1.address'],
  ],
]
test.each(rows)('%s: %j', async (_rule, input, fields) => {
  expect(await refused('lan', input)).toEqual(fields)
})

const pairs: [string, string, Fields, Fields, string[]][] = [
  [
    'N14',
    'lan',
    { name: 'Other', address: '10.30.0.1/24', dhcp: false, poolStart: undefined, poolEnd: undefined },
    {},
    ['vlan'],
  ],
  ['P7', 'wan', { name: 'Other', interface: 'eth5', dmzHost: '10.20.0.7' }, { dmzHost: '10.20.0.7' }, ['dmzHost']],
  ['P7', 'wan', { name: 'Other', interface: 'eth5', dmzHost: '10.20.0.7' }, { dmzHost: '10.20.0.8' }, []],
  ['P8', 'wan', { name: 'Other', interface: 'eth5', ipv6: 'auto' }, { ipv6: 'auto' }, ['ipv6']],
  ['P8', 'wan', { name: 'Other', interface: 'eth5', ...named }, named, ['ddns']],
  ['N19', 'staticRoute', { name: 'Other' }, {}, ['metric']],
]
test.each(pairs)('%s: %s beside another', async (_rule, kind, other, input, fields) => {
  expect(await refused(kind, input, [other])).toEqual(fields)
})

describe('one network twice on a gateway', () => {
  const lan = { name: 'Office', vlan: 20, dhcp: false, address: '192.168.20.1/24' }
  const wan = { name: 'Provider', interface: 'eth3', connection: 'static', gateway: '192.168.20.1', metric: 9 }
  const outside = { ...wan, address: '192.168.20.57', prefix: 24 }
  const route = { name: 'Lab', gateway: '10.9.0.1' }
  const office = { fields: { address: 'segmentLan' }, values: { address: { other: 'Office' } } }
  const provider = { fields: { address: 'segmentWan' }, values: { address: { other: 'Provider' } } }
  const lab = { fields: { address: 'segmentRoute' }, values: { address: { other: 'Lab' } } }
  const labAtOffice = { fields: { destination: 'segmentLan' }, values: { destination: { other: 'Office' } } }
  const meetings: [string, string, Fields, string, Fields, object | undefined][] = [
    ['a LAN in the network of a static WAN', 'wan', outside, 'lan', lan, provider],
    ['a LAN that holds it', 'wan', outside, 'lan', { ...lan, address: '192.168.0.1/16' }, provider],
    ['a LAN beside it', 'wan', outside, 'lan', { ...lan, address: '192.168.21.1/24' }, undefined],
    ['a LAN beside a WAN by DHCP', 'wan', { name: 'Provider', interface: 'eth3', metric: 9 }, 'lan', lan, undefined],
    ['a static WAN in the network of a LAN', 'lan', lan, 'wan', outside, office],
    ['a static WAN beside it', 'lan', { ...lan, address: '192.168.21.1/24' }, 'wan', outside, undefined],
    ['a LAN that a route leads to', 'staticRoute', { ...route, destination: '192.168.20.0/24' }, 'lan', lan, lab],
    [
      'a LAN of which a route takes a part',
      'staticRoute',
      { ...route, destination: '192.168.20.8/32' },
      'lan',
      lan,
      lab,
    ],
    ['a LAN in a wider route', 'staticRoute', { ...route, destination: '192.168.0.0/16' }, 'lan', lan, undefined],
    [
      'a LAN that a route led to which is off',
      'staticRoute',
      { ...route, destination: '192.168.20.0/24', enabled: false },
      ...(['lan', lan, undefined] as const),
    ],
    ['a route to a LAN', 'lan', lan, 'staticRoute', { ...route, destination: '192.168.20.0/24' }, labAtOffice],
    ['a default route', 'lan', lan, 'staticRoute', { ...route, destination: '0.0.0.0/0' }, undefined],
  ]
  test.each(meetings)('%s', async (_name, before, first, kind, input, wrong) => {
    const one = await browser.post(`settings/${before}/save`, first)
    expect(one.retCode).toBe(0)
    const two = await browser.post(`settings/${kind}/save`, input)
    const gone = await browser.post(`settings/${before}/delete`, { ids: [one.data.id] })
    if (two.retCode === 0) await browser.post(`settings/${kind}/delete`, { ids: [two.data.id] })
    expect(gone.retCode).toBe(0)
    if (wrong) expect(two.data).toEqual(wrong)
    else expect(two.retCode).toBe(0)
  })

  test('what else is wrong is told with it, and a LAN of other devices is not in the way', async () => {
    const one = await browser.post('settings/lan/save', { ...lan, assign: { all: false, groups: [], devices: [] } })
    expect((await browser.post('settings/wan/save', { ...outside, gateway: '9.9.9.9' })).data.fields).toEqual({
      gateway: 'gatewaySegment',
    })
    const own = { ...lan, id: one.data.id, revision: one.data.revision, assign: everywhere }
    expect((await browser.post('settings/lan/save', own)).retCode).toBe(0)
    expect((await browser.post('settings/wan/save', { ...outside, gateway: '9.9.9.9' })).data.fields).toEqual({
      address: 'segmentLan',
      gateway: 'gatewaySegment',
    })
    await browser.post('settings/lan/delete', { ids: [one.data.id] })
  })
})

test('P13: eight ways at most', async () => {
  const more = Array.from({ length: 7 }, (_, at) => ({ name: `Way ${at}`, interface: `eth1${at}` }))
  expect(await refused('wan', { interface: 'eth20' }, more)).not.toEqual([])
})

const to = (groups: number[], devices: number[] = []) => ({ all: false, groups, devices })

describe('two gateways of one network', () => {
  const group = async (groupName: string, parentId = -1) =>
    (await browser.post('groups/add', { groupName, parentId })).data.groupId as number
  const device = (name: string, group: number | null) => {
    const row = {
      organization: 1,
      network: 1,
      name,
      port: 22,
      driver: 'linux' as const,
      status: 0,
      statusAt: 1,
      createdAt: 1,
    }
    const gateway = { ...row, address: name, group, kind: 'gateway' as const }
    return manager.runtime.db.insert(devices).values(gateway).returning({ id: devices.id }).get().id
  }
  let ids: Record<'east' | 'eastUp' | 'west' | 'inEast' | 'inWest' | 'free', number>
  beforeAll(async () => {
    const [east, west] = [await group('East'), await group('West')]
    const eastUp = await group('Upstairs', east)
    ids = { east, west, eastUp, inEast: device('e', eastUp), inWest: device('we', west), free: device('fre', null) }
  })

  const way = { interface: 'eth1', ...named, ipv6: 'auto', dmzHost: '10.20.0.7' }
  const taken = ['ddns', 'dmzHost', 'interface', 'ipv6']
  const meetings: [string, () => [object, object], boolean][] = [
    ['all and all', () => [everywhere, everywhere], true],
    ['all and one', () => [everywhere, to([], [ids.free])], true],
    ['all and none', () => [everywhere, to([])], false],
    ['the same one', () => [to([], [ids.free]), to([], [ids.free, ids.inWest])], true],
    ['one and another', () => [to([], [ids.inEast]), to([], [ids.inWest])], false],
    ['groups side by side', () => [to([ids.east]), to([ids.west])], false],
    ['a group and one above it', () => [to([ids.eastUp]), to([ids.east])], true],
    ['a group and one below it', () => [to([ids.east]), to([ids.eastUp])], true],
    ['a group and a device in one below it', () => [to([ids.east]), to([], [ids.inEast])], true],
    ['a device and a group above its own', () => [to([], [ids.inEast]), to([ids.east])], true],
    ['a group and a device of another', () => [to([ids.east]), to([], [ids.inWest, ids.free])], false],
  ]
  test.each(meetings)(
    'P7, P8, N14, N19: given to %s, documents are judged together: so it is',
    async (_name, give, meet) => {
      const [one, two] = give()
      const fields = async (kind: string, more: Fields, input: Fields) =>
        ((await refused(kind, { ...input, assign: two }, [{ ...more, name: 'Other', assign: one }])) as string[]).sort()
      expect(await fields('wan', way, way)).toEqual(meet ? taken : [])
      expect(await fields('lan', {}, {})).toEqual(meet ? ['address', 'vlan'] : [])
      expect(await fields('staticRoute', {}, {})).toEqual(meet ? ['metric'] : [])
    },
  )

  test('a device that comes to have both is not pushed to, and which two they are is said', async () => {
    const save = async (name: string, assign: object, id?: string, revision?: number) =>
      (await browser.post('settings/wan/save', { ...bases.wan, name, interface: 'eth7', assign, id, revision })).data
    const [one, two] = [await save('One', to([ids.east])), await save('Two', to([ids.west]))]
    const kinds = await loadKinds()
    const { db, secrets } = manager.runtime
    const told = (id: number, group: number | null) =>
      desiredOf(secrets, kinds, networkDocuments(db, 1), { id, network: 1, group }).warnings.map(
        ({ code, blocks, values }) => [code, blocks, values?.name],
      )
    expect([told(ids.inEast, ids.eastUp), told(ids.inWest, ids.west)]).toEqual([[], []])
    // A group is put below another: what is in it gets the documents of both.
    expect(
      (await browser.post('groups/edit', { groupId: ids.west, groupName: 'West', parentId: ids.east })).retCode,
    ).toBe(0)
    expect([told(ids.inEast, ids.eastUp), told(ids.inWest, ids.west)]).toEqual([
      [],
      ['One', 'Two'].map(name => ['documentsClash', true, name]),
    ])
    await browser.post('settings/wan/delete', { ids: [one.id, two.id] })
  })

  test('so are a LAN network and a WAN of the same addresses', async () => {
    const outer = { ...fixed, name: 'Outer', interface: 'eth7', address: '10.20.0.9', prefix: 24, gateway: '10.20.0.8' }
    const far = { ...bases.lan, name: 'Far', assign: to([], [ids.free]) }
    const one = (await browser.post('settings/wan/save', { ...outer, metric: 9, assign: to([ids.east]) })).data
    const two = (await browser.post('settings/lan/save', far)).data
    const kinds = await loadKinds()
    const { db, secrets } = manager.runtime
    const told = () => {
      const groupId =
        db
          .select()
          .from(devices)
          .all()
          .find(row => row.id === ids.free)?.group ?? null
      const device = { id: ids.free, network: 1, group: groupId }
      return desiredOf(secrets, kinds, networkDocuments(db, 1), device).warnings.map(({ code, values }) => [
        code,
        values?.name,
      ])
    }
    expect(told()).toEqual([])
    db.update(devices).set({ group: ids.eastUp }).where(eq(devices.id, ids.free)).run()
    expect(told()).toEqual(['Far', 'Outer'].map(name => ['documentsClash', name]))
    db.update(devices).set({ group: null }).where(eq(devices.id, ids.free)).run()
    await browser.post('settings/wan/delete', { ids: [one.id] })
    await browser.post('settings/lan/delete', { ids: [two.id] })
  })

  test('P13: the default way of each gateway stays, whatever ranks the other has', async () => {
    const save = async (input: Fields) => (await browser.post('settings/wan/save', { ...bases.wan, ...input })).data.id
    const east = await save({ name: 'East', metric: 2, interface: 'eth3', assign: to([], [ids.inEast]) })
    const west = await save({ name: 'West', metric: 3, interface: 'eth3', assign: to([], [ids.inWest]) })
    const list = (await browser.post('settings/wan/list', {})).data.result as {
      id: string
      name: string
      revision: number
    }[]
    const first = list.find(one => one.name === 'Default')
    const gone = async (...ids: unknown[]) => (await browser.post('settings/wan/delete', { ids })).retCode
    // The one for all is beside each.
    expect(await gone(west)).toBe(0)
    const again = await save({ name: 'West', metric: 3, interface: 'eth3', assign: to([], [ids.inWest]) })
    const away = { ...bases.wan, name: 'Default', interface: 'eth9', metric: 1, assign: to([], [ids.free]) }
    expect(
      (await browser.post('settings/wan/save', { ...away, id: first?.id, revision: first?.revision })).retCode,
    ).toBe(0)
    expect([await gone(again), await gone(east)]).not.toContain(0)
    expect([again, east].every(Boolean)).toBe(true)
  })
})

import { randomUUID } from 'node:crypto'
import { check, type Data } from '@/model/kind'
import { ssid } from '@/model/wifi/ssid'
import { fc } from '../_property'

const wanted = (data: Data, options: Parameters<typeof check>[2] = {}) => check(ssid, data, options)
const problems = (data: Data, options: Parameters<typeof check>[2] = {}) => {
  const checked = wanted(data, options)
  return 'data' in checked ? {} : checked.fields
}
const open = (more: Data = {}): Data => ({ name: 'Harbour', security: 'open', ...more })
const closed = (key: string, security = 'wpa2'): Data => ({ name: 'Harbour', security, key })
const raw = '0123456789abcdef'.repeat(4)

test.each([
  ['a', {}],
  ['x'.repeat(32), {}],
  ['x'.repeat(33), { name: 'ssidLength' }],
  // Any other character counts 3: ten of them and two ASCII are 32.
  [`${'é'.repeat(10)}ab`, {}],
  [`${'é'.repeat(10)}abc`, { name: 'ssidLength' }],
  ['é'.repeat(11), { name: 'ssidLength' }],
  // Eight emoji count 24 and are 32 bytes; nine count 27 and are 36.
  ['😀'.repeat(8), {}],
  ['😀'.repeat(9), { name: 'ssidLength' }],
  ['', { name: 'required' }],
  ['   ', { name: 'required' }],
  [' Café ', {}],
  ['Ｂａｒ', {}],
  ['Bar！', { name: 'fullWidth' }],
  ['酒店，', { name: 'fullWidth' }],
  ['《酒店》', { name: 'fullWidth' }],
  ['a\nb', { name: 'controlCharacters' }],
  ['a\u0000', { name: 'controlCharacters' }],
  ['a\ud800', { name: 'controlCharacters' }],
  [7, { name: 'wrongType' }],
  [undefined, { name: 'required' }],
])('W1: the name %j gives %j', (name, expected) => {
  expect(problems(open({ name }))).toEqual(expected)
})

test.each([
  ['wpa2', 'a'.repeat(7), { key: 'wpaKey' }],
  ['wpa2', 'a'.repeat(8), {}],
  ['wpa2', 'a'.repeat(63), {}],
  ['wpa2', raw, {}],
  ['wpa2', raw.toUpperCase(), {}],
  ['wpa2', `${raw.slice(1)}g`, { key: 'wpaKey' }],
  ['wpa2', `${raw}a`, { key: 'wpaKey' }],
  ['wpa2', 'abcdefgé', { key: 'wpaKey' }],
  ['wpa2', 'with space 1', {}],
  ['wpa2', 'tab\ttab\ttab', { key: 'wpaKey' }],
  ['wpa3', raw, { key: 'wpa3Key' }],
  ['wpa3', 'a'.repeat(63), {}],
  ['wpa3', 'a'.repeat(8), {}],
  ['wpa2wpa3', raw, { key: 'wpa3Key' }],
])('W2: %s with the key %j gives %j', (security, key, expected) => {
  expect(problems(closed(key, security))).toEqual(expected)
})

test('W2: a key is required where there is one, and refused where there is none', () => {
  expect(problems({ name: 'a', security: 'wpa2' })).toEqual({ key: 'keyRequired' })
  expect(problems({ name: 'a' })).toEqual({ key: 'keyRequired' })
  expect(problems(open({ key: 'harbour1234' }))).toEqual({ key: 'notUsed' })
  expect(problems({ name: 'a', security: 'owe', key: 'harbour1234' })).toEqual({ key: 'notUsed' })
})

test('a kept secret counts as there and is not judged', () => {
  expect(problems(closed('', 'wpa3'), { kept: ['key'] })).toEqual({})
})

test.each([
  [1, { vlan: 'ssidVlan' }],
  [2, {}],
  [665, {}],
  [666, { vlan: 'ssidVlan' }],
  [667, {}],
  [4093, {}],
  [4094, { vlan: 'ssidVlan' }],
  [2.5, { vlan: 'wrongType' }],
  ['20', { vlan: 'wrongType' }],
])('N13: the VLAN %j gives %j', (vlan, expected) => {
  expect(problems(open({ vlan }))).toEqual(expected)
})

test.each([
  ['maxClients', 'W6', -1, 'tooSmall'],
  ['maxClients', 'W6', 0, undefined],
  ['maxClients', 'W6', 127, undefined],
  ['maxClients', 'W6', 128, 'tooLarge'],
  ['dtim', 'W5', 0, 'tooSmall'],
  ['dtim', 'W5', 1, undefined],
  ['dtim', 'W5', 10, undefined],
  ['dtim', 'W5', 11, 'tooLarge'],
])('%s (%s) of %d gives %s', (field, _rule, value, expected) => {
  expect(problems(open({ [field]: value }))).toEqual(expected ? { [field]: expected } : {})
})

test('N16: the fifth SSID of one VLAN is refused, untagged ones are not counted', () => {
  const others = (count: number, vlan?: number) => Array.from({ length: count }, () => ({ vlan }))
  expect(problems(open({ vlan: 20 }), { others: others(3, 20) })).toEqual({})
  expect(problems(open({ vlan: 20 }), { others: others(4, 20) })).toEqual({ vlan: 'vlanSsids' })
  expect(problems(open({ vlan: 21 }), { others: others(4, 20) })).toEqual({})
  expect(problems(open(), { others: others(15) })).toEqual({})
})

test('6 GHz goes with WPA3 or Enhanced Open alone', () => {
  const with6 = (security: string, key?: string) => problems({ name: 'a', security, key, bands: ['5g', '6g'] })
  expect(with6('wpa3', 'harbour1234')).toEqual({})
  expect(with6('owe')).toEqual({})
  expect(with6('wpa2wpa3', 'harbour1234')).toEqual({ bands: 'band6' })
  expect(with6('open')).toEqual({ bands: 'band6' })
})

test('bands: at least one, each once, known ones', () => {
  expect(problems(open({ bands: [] }))).toEqual({ bands: 'required' })
  expect(problems(open({ bands: ['2g', '2g'] }))).toEqual({ bands: 'duplicate' })
  expect(problems(open({ bands: ['60g'] }))).toEqual({ 'bands.0': 'notAllowed' })
})

test('an unknown field is refused at the field', () => {
  expect(problems(open({ ssid: 'x' }))).toEqual({ ssid: 'unknownField' })
})

test('defaults fill what is left out', () => {
  expect(wanted(open())).toEqual({
    data: {
      name: 'Harbour',
      security: 'open',
      enabled: true,
      bands: ['2g', '5g'],
      hidden: false,
      isolation: false,
      maxClients: 0,
      stationTimeout: 300,
      dtim: 2,
      neighborReports: false,
      transitionManagement: false,
      macFilter: 'off',
    },
  })
})

test('whatever is accepted is accepted again unchanged; nothing ever throws', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  )
  /** Mostly what the field is for, and now and then anything at all. */
  const mostly = <T>(fitting: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: value })
  const likely = fc
    .tuple(
      fc.record(
        {
          name: mostly(fc.string({ minLength: 1, maxLength: 40 })),
          security: mostly(fc.constantFrom('open', 'owe', 'wpa2', 'wpa2wpa3', 'wpa3')),
          key: mostly(fc.string({ minLength: 6, maxLength: 66 })),
          vlan: mostly(fc.integer({ min: 0, max: 4096 })),
          bands: mostly(fc.subarray(['2g', '5g', '6g'])),
          dtim: mostly(fc.integer({ min: 0, max: 11 })),
        },
        { requiredKeys: ['name', 'security', 'key'] },
      ),
      fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.record({ other: value }) }),
    )
    .map(([known, unknown]) => ({ ...known, ...unknown }))
  let accepted = 0
  fc.assert(
    fc.property(likely, data => {
      const once = wanted(data)
      if (!('data' in once)) return Object.keys(once.fields).length > 0
      accepted += 1
      expect(wanted(once.data)).toEqual(once)
      return true
    }),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(100)
})

test.each([
  ['abcde', {}],
  ['abcdefghijklm', {}],
  ['0123456789', {}],
  ['0123456789abcdefABCDEF0123', {}],
  ['abcd', { key: 'wpaKey' }],
  ['abcdef', { key: 'wpaKey' }],
  ['abcdefghijkl', { key: 'wepKey' }],
  ['012345678g', { key: 'wepKey' }],
  ['0123456789abcdefABCDEF012', { key: 'wepKey' }],
])('W3: WEP with the key %j gives %j', (key, expected) => {
  expect(problems(closed(key, 'wep'))).toEqual(expected)
})

test('W2: a WEP key is none for WPA', () => {
  expect(problems(closed('abcde'))).toEqual({ key: 'wpaKey' })
  expect(problems(closed('abcdefghijklm'))).toEqual({})
})

test.each([
  ['stationTimeout', 'W7', [60, 3600], [59, 3601, 60.5]],
  ['minRssi', 'N12', [-94, -1], [-95, 0]],
  ['minRate', 'W10', [1, 65], [0, 66]],
  ['beaconInterval', 'W4', [40, 500], [39, 501]],
  ['dtim', 'W5', [1, 10], [0, 11]],
  ['maxClients', 'W6', [0, 127], [-1, 128]],
] as const)('%s keeps to rule %s', (field, _rule, good, bad) => {
  for (const value of good) expect(problems(open({ [field]: value }))).toEqual({})
  for (const value of bad) expect(Object.keys(problems(open({ [field]: value })))).toEqual([field])
})

test.each([
  [1, 40, {}],
  [2, 40, {}],
  [3, 99, { beaconInterval: 'beaconNetworks' }],
  [3, 100, {}],
  [8, 100, {}],
  [9, 199, { beaconInterval: 'beaconNetworks' }],
  [9, 200, {}],
  [9, undefined, {}],
])('W4: among %i networks the interval %p gives %j', (count, beaconInterval, expected) => {
  const others = Array.from({ length: count - 1 }, (_, at) => open({ name: `Other ${at}` }))
  expect(problems(open({ beaconInterval }), { others })).toEqual(expected)
})

test('W4: a third network is refused while another stands at less than 100', () => {
  const others = (beaconInterval?: number) => [open({ name: 'A', beaconInterval }), open({ name: 'B' })]
  expect(problems(open({}), { others: others(99) })).toEqual({ beaconInterval: 'beaconOthers' })
  expect(problems(open({}), { others: others(100) })).toEqual({})
  expect(problems(open({}), { others: others() })).toEqual({})
  expect(problems(open({}), { others: others(40).slice(0, 1) })).toEqual({})
})

test('W18: the timeout is 5 to 1,440 minutes, and exists with enterprise security alone', () => {
  const staff = (timeout: number) => ({ name: 'Staff', security: 'wpa3Enterprise', radius: randomUUID(), timeout })
  for (const value of [5, 1440]) expect(problems(staff(value))).toEqual({})
  for (const value of [4, 1441, 5.5]) expect(Object.keys(problems(staff(value)))).toEqual(['timeout'])
  expect(problems(open({ timeout: 60 }))).toEqual({ timeout: 'notUsed' })
})

const macs = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, at) =>
      `02:00:00:00:${((from + at) >> 8).toString(16).padStart(2, '0')}:${((from + at) & 255).toString(16).padStart(2, '0')}`,
  )

test('W13: all networks together list 1,000 addresses, the 1,001st is refused', () => {
  const block = (macList: string[]) => open({ macFilter: 'block', macList })
  expect(problems(block(macs(1000)))).toEqual({})
  expect(Object.keys(problems(block(macs(1001))))).toEqual(['macList'])
  expect(problems(block(macs(400)), { others: [block(macs(600, 400))] })).toEqual({})
  expect(problems(block(macs(401)), { others: [block(macs(600, 401))] })).toEqual({ macList: 'macsTotal' })
})

test('N4, N23: addresses of the filter in any writing, each once, and at least one', () => {
  const filter = (macList: unknown, macFilter = 'allow') => open({ macFilter, macList })
  expect(wanted(filter(['00-1A-2B-3C-4D-5E', '001a2b3c4d5f']))).toMatchObject({
    data: { macList: ['00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:5f'] },
  })
  expect(problems(filter([]))).toEqual({ macList: 'macsRequired' })
  expect(problems(filter(undefined))).toEqual({ macList: 'macsRequired' })
  expect(problems(filter(['00:1a:2b:3c:4d']))).toEqual({ 'macList.0': 'mac' })
  expect(problems(filter(['00:1a:2b:3c:4d:5e', '00-1a-2b-3c-4d-5e']))).toEqual({ 'macList.1': 'duplicate' })
  expect(problems(filter(['00:1a:2b:3c:4d:5e'], 'off'))).toEqual({ macList: 'notUsed' })
})

test('fast roaming exists only where there is a WPA key', () => {
  expect(problems({ ...closed('harbour1234'), fastRoaming: true })).toEqual({})
  expect(problems(open({ fastRoaming: true }))).toEqual({ fastRoaming: 'notUsed' })
  expect(problems({ ...closed('abcde', 'wep'), fastRoaming: true })).toEqual({ fastRoaming: 'notUsed' })
})

test('W14: Wi-Fi networks of one VLAN have one portal, since its gateway cannot tell them apart', () => {
  const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const guests = open({ vlan: 20, portal: one })
  expect(problems(guests, { others: [open({ vlan: 20, portal: one }), open({ vlan: 20 })] })).toEqual({})
  expect(problems(guests, { others: [open({ vlan: 21, portal: two }), open({ portal: two })] })).toEqual({})
  expect(problems(guests, { others: [open({ vlan: 20, portal: two, enabled: false })] })).toEqual({})
  expect(problems(guests, { others: [open({ vlan: 20, portal: two })] })).toEqual({ portal: 'portalVlan' })
  expect(problems(open({ portal: one }), { others: [open({ portal: two })] })).toEqual({ portal: 'portalVlan' })
})

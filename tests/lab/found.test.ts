import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { addressOf, type LabManager, lab, manager, until } from './_lab'

// What a search says of what it found, and several logins in turn, with the lab's devices. A host beside them answers mDNS
// as a printer does.

let started: LabManager
let client: Client
let site: Awaited<ReturnType<typeof lab.up>>
let printer: string

/** PTR of _ipp._tcp.local to "Laser, hall", and its TXT record with ty=HL-L2350DW. */
const says = [
  '000084000000000200000000',
  '045f697070045f746370056c6f63616c00000c00010000000a000e0b4c617365722c2068616c6cc00c',
  '0b4c617365722c2068616c6cc00c0010000100000000000e0d74793d484c2d4c323335304457',
].join('')
const answering =
  'use Socket; socket(S, PF_INET, SOCK_DGRAM, 17); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);' +
  'bind(S, sockaddr_in(5353, INADDR_ANY)) or die; setsockopt(S, 0, 35, inet_aton("224.0.0.251") . INADDR_ANY) or die;' +
  'while (my $from = recv(S, my $asked, 9000, 0)) { send(S, pack("H*", $ARGV[0]), 0, $from) }'

beforeAll(async () => {
  site = await lab.up()
  await lab.reset('ap1')
  printer = await addressOf('c1')
  await lab.sh('c1', `perl -e '${answering}' ${says} >/dev/null 2>&1 & echo $! > /run/printer`)
  started = await manager({
    env: { LANWARD_SETUP_CODE: 'off', LANWARD_DISCOVERY: `${site.addresses.gw}/28,${printer}` },
  })
  client = clientOf(started.local)
  await prepareWizard(client)
  await client.must('wizard/finish')
})
afterAll(async () => {
  await started?.end()
  await lab.sh('c1', 'kill $(cat /run/printer)')
  await lab.reset('ap1')
})

type Found = Record<string, unknown> & { address: string }
async function search(input: object): Promise<Map<string, Found>> {
  await client.must('devices/discover', input)
  const done = await until(async () => {
    const result = (await client.must('devices/discover/result')) as { state: string; found: Found[] }
    return result.state === 'done' && result.found
  })
  return new Map(done.map(one => [one.address, one]))
}

test('a search names what announces itself, what SNMP shows to a community, and whose MAC is made up', async () => {
  const found = await search({ communities: [site.credentials.snmp.read] })
  expect(found.get(printer)).toMatchObject({
    ...{ name: 'Laser, hall', model: 'HL-L2350DW', likely: 'printer', privateMac: true },
    mac: expect.stringMatching(/^[\da-f]{2}(:[\da-f]{2}){5}$/),
  })
  expect(found.get(site.addresses.sw1)).toMatchObject({
    name: 'sw1',
    description: expect.stringMatching(/\S/),
    snmp: { versions: expect.arrayContaining(['v2c', 'v3']) },
  })
  expect(found.get(site.addresses.gw)?.ssh).toMatchObject({ hostKey: expect.stringMatching(/^SHA256:/) })
})

test('without a community SNMP shows nothing, and the stored one is sent where it is chosen', async () => {
  expect((await search({})).get(site.addresses.sw1)?.description).toBeUndefined()
  const credential = { type: 'snmp2c', community: site.credentials.snmp.read }
  const { id } = await client.must('credentials/save', { name: 'Switches', credential })
  expect((await search({ credentialIds: [id] })).get(site.addresses.sw1)).toMatchObject({ name: 'sw1' })
})

type Item = { address: string; state: string; tries: { name: string; tried: boolean; failure?: { reason: string } }[] }

test('three devices, one round: each takes its own login of several', async () => {
  const { addresses, credentials } = site
  const { user, password } = credentials.ssh
  const keyed = [addresses.gw, addresses.ap1]
  const devices = await Promise.all(
    [...keyed, addresses.sw1].map(async address => ({
      address,
      ...(keyed.includes(address) && { hostKey: (await client.must('devices/fingerprint', { address })).hostKey }),
    })),
  )
  const stored = (await client.must('credentials/list')) as { result: { id: number; name: string }[] }
  const logins = [
    { credential: { type: 'ssh', user, password: 'wrong' } },
    { credential: { type: 'ssh', user, password } },
    { credentialId: stored.result.find(one => one.name === 'Switches')?.id },
  ]
  const { jobId } = await client.must('devices/adopt', { devices, logins })
  const items = await until(async () => {
    const result = (await client.must('devices/adopt/result', { jobId })) as { state: string; items: Item[] }
    return result.state === 'done' && result.items
  })
  const fared = Object.fromEntries(
    items.map(one => [one.address, one.tries.map(({ failure }) => failure?.reason ?? 'worked')]),
  )
  expect(fared).toEqual({
    [addresses.gw]: ['credentials', 'worked'],
    [addresses.ap1]: ['credentials', 'worked'],
    // Its host key was accepted by nobody: no password went there.
    [addresses.sw1]: ['hostKeyUnknown', 'hostKeyUnknown', 'worked'],
  })
  expect(items.map(one => one.state)).toEqual(['adopted', 'adopted', 'adopted'])
  const list = (await client.must('credentials/list')) as { result: { name: string; devices: { name: string }[] }[] }
  expect(list.result.map(one => [one.name, one.devices.map(({ name }) => name).sort()])).toEqual([
    ['Switches', ['sw1']],
    [`SSH ${user}`, ['ap1', 'gw']],
  ])
})

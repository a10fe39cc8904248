import { readFileSync } from 'node:fs'
import { type Client, clientOf } from '../soak/client'
import { type LabManager, lab, manager, until } from './_lab'

let started: LabManager
let client: Client
let status: Awaited<ReturnType<typeof lab.up>>

beforeAll(async () => {
  status = await lab.up()
  await lab.reset('ap1')
  started = await manager({ env: { LANWARD_SETUP_CODE: 'ABCD-2345', LANWARD_DISCOVERY: `${status.addresses.gw}/28` } })
  client = clientOf(started.url)
})
afterAll(async () => {
  await started?.end()
  await lab.reset('ap1')
})

type Found = { address: string; ssh?: { hostKey?: string }; snmp?: { versions: string[] } }
type Item = { address: string; state: string; step?: string; failure?: { step: string; reason: string }; name?: string }
const adoption = async () =>
  (await client.must('wizard/discover/result')) as { state: string; found: Found[]; adoption: Item[] }
const settled = (items: Item[]) =>
  items.length > 0 && items.every(item => item.state === 'adopted' || item.state === 'failed')

test('no device is contacted before there is an account', async () => {
  await client.must('wizard/unlock', { code: 'ABCD-2345' })
  await client.must('wizard/general', {
    step: 'general',
    name: 'Harbour House',
    country: 'PT',
    timezone: 'Europe/Lisbon',
    language: 'en',
  })
  await expect(client.must('wizard/discover')).rejects.toThrow('"step":"account"')
  await client.must('wizard/account', {
    step: 'account',
    account: 'marta7',
    email: '',
    password: 'Tr0ub4dor&3x',
    repeat: 'Tr0ub4dor&3x',
  })
})

test('finds the devices of the LAN by itself, with their host keys, and no login', async () => {
  const { addresses } = status
  const capture = `timeout 120 tcpdump -nni eth1 -c 4000 'src ${addresses.mgr} and ip' 2>/run/tcpdump`
  const heard = lab.in('gw', ['sh', '-c', capture], { timeoutMs: 150_000 })
  await until(async () => (await lab.sh('gw', 'cat /run/tcpdump')).stdout.includes('listening on'))
  await client.must('wizard/discover')
  const { found } = await until(async () => {
    const result = await adoption()
    return result.state === 'done' && result
  })
  await lab.sh('gw', 'kill -INT $(pidof tcpdump)')
  const sent = (await heard).stdout.split('\n').filter(line => line.includes('IP '))
  const doors = new Set(sent.map(line => / > [\d.]+\.(\d+): /.exec(line)?.[1]))
  // Connections to SSH, SNMPv3's discovery, which carries no community, and a question to all by SSDP, WS-Discovery and
  // mDNS: nothing else was sent.
  expect([...doors].sort()).toEqual(['161', '1900', '22', '3702', '5353'])
  const groups = sent.filter(line => / > (224|239)\.[\d.]+: /.test(line))
  expect(groups).toHaveLength(3)
  expect(sent.some(line => /public|private/.test(line))).toBe(false)
  const byAddress = new Map(found.map(one => [one.address, one]))
  for (const address of [addresses.gw, addresses.ap1, addresses.sw1]) {
    expect(byAddress.get(address)?.ssh?.hostKey).toMatch(/^SHA256:/)
    expect(byAddress.get(address)?.snmp?.versions).toContain('v3')
  }
})

test('adopts with given credentials, and says of each that fails at which step and why', async () => {
  const { addresses, credentials } = status
  const keys = new Map((await adoption()).found.map(one => [one.address, one.ssh?.hostKey]))
  const { user, password, keyFile } = credentials.ssh
  const { snmpV3: v3 } = credentials
  const key = { type: 'ssh', user, privateKey: readFileSync(keyFile, 'utf8') }
  await client.must('wizard/adopt', {
    devices: [
      { address: addresses.gw, hostKey: keys.get(addresses.gw), credential: { type: 'ssh', user, password: 'wrong' } },
      { address: addresses.ap1, credential: key },
      {
        address: addresses.sw1,
        credential: {
          type: 'snmp3',
          user: v3.user,
          level: 'authPriv',
          authProtocol: 'sha',
          authKey: v3.authPassword,
          privProtocol: 'aes',
          privKey: v3.privPassword,
        },
      },
    ],
  })
  const first = await until(async () => settled((await adoption()).adoption) && (await adoption()).adoption)
  const of = (address: string) => first.find(item => item.address === address)
  expect(of(addresses.gw)).toMatchObject({ state: 'failed', failure: { step: 'login', reason: 'credentials' } })
  expect(of(addresses.ap1)).toMatchObject({ state: 'failed', failure: { step: 'hostKey', reason: 'hostKeyUnknown' } })
  expect(of(addresses.sw1)).toMatchObject({ state: 'adopted' })
  await client.must('wizard/adopt', {
    devices: [
      { address: addresses.gw, hostKey: keys.get(addresses.gw), credential: { type: 'ssh', user, password } },
      { address: addresses.ap1, hostKey: keys.get(addresses.ap1), credential: key },
    ],
  })
  const second = await until(async () => settled((await adoption()).adoption) && (await adoption()).adoption)
  expect(second.map(item => item.state)).toEqual(['adopted', 'adopted', 'adopted'])
})

test('resumes after the manager was killed: the draft, and what was adopted', async () => {
  await started.kill9()
  await started.restart()
  const { draft } = (await client.must('wizard/initial-info')) as {
    draft: { devices: { name: string; kind: string }[] }
  }
  expect(draft.devices.map(device => device.kind).sort()).toEqual(['ap', 'gateway', 'switch'])
})

test('finish closes the wizard, and the SSID is on the air of the access point', async () => {
  await client.must('wizard/ssid', { name: "Harbour's Wi-Fi", security: 'wpa2', key: 'correct-horse', bands: ['2g'] })
  const { push } = (await client.must('wizard/finish')) as { push: { jobId: string } }
  const list = (await client.must('devices/list')) as { total: number }
  expect(list.total).toBe(3)
  const done = await until(
    async () => {
      const result = (await client.must('devices/push/result', { jobId: push.jobId })) as {
        devices: { state: string; reason?: string }[]
      }
      return (
        result.devices.every(device =>
          ['applied', 'reverted', 'failed', 'partial', 'unknown'].includes(device.state),
        ) && result
      )
    },
    { timeoutMs: 150_000, everyMs: 1000 },
  )
  expect(done.devices).toMatchObject([{ state: 'applied' }])
  const { stdout } = await lab.sh(
    'ap1',
    'for s in $(ls /run/hostapd); do hostapd_cli -p /run/hostapd -i $s status; done',
  )
  expect(stdout).toContain('state=ENABLED')
  expect(stdout).toContain("ssid[0]=Harbour's Wi-Fi")
  await expect(client.must('wizard/unlock', { code: 'ABCD-2345' })).rejects.toThrow('10031')
})

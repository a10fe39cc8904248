// The manager's own RADIUS server: Debian's FreeRADIUS, asked by an access point as real clients make it ask.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { codes } from '@/model/codes'
import { startRadius } from '@/server/guests/radius/here/start'
import { removeFolder } from '../appliance/_manager'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../server/_manager'
import { lab, until } from './_lab'
import { type LabRadius, startSupervisor } from './_radius'

const secret = 'Harbour-wall.2026'
const password = 'Anchor "chain" %{7}'
const data = mkdtempSync(`${tmpdir()}/lanward-radius-data-`)
let radius: LabRadius
let manager: Manager
let owner: Browser

const start = async () => {
  const withFolder = (runtime: Manager['runtime']) => void Object.assign(runtime.config, { radius: radius.folder })
  manager = await startTestManager({ data, starters: [withFolder, startRadius] })
}
const ok = async (path: string, body: object) => {
  const answer = await owner.post(path, body)
  if (answer.retCode !== 0) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer.data as Record<string, unknown> & { id: string }
}
const user = (fields: object) => ok('settings/radiusUser/save', { enabled: true, ...fields })

beforeAll(async () => {
  radius = await startSupervisor()
  await start()
  owner = await finishedWizard(manager)
  await ok('settings/radiusClient/save', { name: 'Access points', address: '10.77.0.0/22', secret })
  await user({ name: 'alice', password, vlan: 20 })
  await user({ name: 'zoë@harbour', password: 'pässwort-Ω-7' })
  await ok('radius/switch', { on: true })
  await until(async () => (await owner.post('radius/get', {})).data.state === 'running').catch((error: Error) =>
    radius.failed(error),
  )
})
afterAll(async () => {
  await manager?.stop()
  radius?.stop()
  removeFolder(data)
})

type Seen = { accepted: boolean; vlan?: number }

/** By PAP, as an access point asks. */
async function pap(name: string, typed: string): Promise<Seen> {
  const escaped = typed.replaceAll(/["\\]/g, '\\$&')
  const input = `User-Name="${name}",User-Password="${escaped}",Calling-Station-Id="02-00-00-00-00-01",Called-Station-Id="AA-BB:Office"\n`
  const { stdout } = await lab.in('ap1', ['radclient', '-x', '-t', '1', '-r', '5', '10.77.0.10', 'auth', secret], {
    input,
  })
  if (!/Received Access-(Accept|Reject)/.test(stdout)) throw new Error(`nobody answers: ${stdout}`)
  const vlan = /Tunnel-Private-Group-Id:0 = "(\d+)"/.exec(stdout)?.[1]
  return { accepted: stdout.includes('Received Access-Accept'), ...(vlan && { vlan: Number(vlan) }) }
}

/** By EAP, as wpa_supplicant does; `lines` of its network. */
async function eap(name: string, lines: readonly string[]): Promise<Seen> {
  const network = ['network={', 'key_mgmt=WPA-EAP', `identity="${name}"`, 'ca_cert="/tmp/authority.crt"', ...lines, '}']
  await lab.in('ap1', ['sh', '-c', 'cat >/tmp/eap.conf'], { input: `${network.join('\n')}\n` })
  const words = ['eapol_test', '-c', '/tmp/eap.conf', '-a', '10.77.0.10', '-s', secret, '-t', '8', '-r', '0']
  const { stdout, code } = await lab.in('ap1', words)
  if (!/^(SUCCESS|FAILURE)$/m.test(stdout)) throw new Error(stdout.slice(-600))
  const value = /Attribute 81 .*\n\s+Value: (?:00|01)?([0-9a-f]+)/.exec(stdout)?.[1]
  const vlan = value && Number(Buffer.from(value, 'hex').toString())
  return { accepted: code === 0, ...(vlan && { vlan }) }
}
const peap = (name: string, typed: string) => eap(name, ['eap=PEAP', `password="${typed}"`, 'phase2="auth=MSCHAPV2"'])
const ttls = (name: string, typed: string, inner: string) =>
  eap(name, ['eap=TTLS', `password="${typed}"`, `phase2="auth=${inner}"`, 'anonymous_identity="anonymous"'])

async function exported(query: Record<string, string>): Promise<string> {
  return (await owner.raw(`exports/certificate?${new URLSearchParams(query)}`, { method: 'GET' })).text()
}
const put = (file: string, text: string) => lab.in('ap1', ['sh', '-c', `cat >/tmp/${file}`], { input: text })
const tls = (name: string) => eap(name, ['eap=TLS', `client_cert="/tmp/${name}.pem"`, `private_key="/tmp/${name}.pem"`])
const journal = async () =>
  (await ok('radius/sign-ins/list', { pageSize: 100 })).result as unknown as Record<string, unknown>[]

test('PAP: who is known gets in with their VLAN, whatever their password looks like; nobody else does', async () => {
  await put('authority.crt', await exported({ what: 'authority' }))
  expect(await pap('alice', password)).toEqual({ accepted: true, vlan: 20 })
  expect(await pap('zoë@harbour', 'pässwort-Ω-7')).toEqual({ accepted: true })
  expect(await pap('alice', 'wrong-password')).toEqual({ accepted: false })
  expect(await pap('mallory', password)).toEqual({ accepted: false })
})

test('PEAP: with the right password in, with VLAN; with a wrong one not', async () => {
  expect(await peap('alice', password)).toEqual({ accepted: true, vlan: 20 })
  expect(await peap('alice', 'wrong-password')).toEqual({ accepted: false })
})

test.each(['PAP', 'MSCHAPV2'])('TTLS with %s: the same, behind an anonymous name', async inner => {
  expect(await ttls('alice', password, inner)).toEqual({ accepted: true, vlan: 20 })
  expect(await ttls('alice', 'wrong-password', inner)).toEqual({ accepted: false })
})

test('TLS: a user’s certificate signs in with their VLAN, without a password, until it is revoked', async () => {
  await user({ name: 'bob', vlan: 30 })
  const { id } = await ok('certificates/issue', { name: 'bob' })
  const { id: strangers } = await ok('certificates/issue', { name: 'stranger' })
  await put('bob.pem', await exported({ id, what: 'key' }))
  await put('stranger.pem', await exported({ id: strangers, what: 'key' }))
  await until(async () => (await tls('bob')).vlan === 30)
  expect(await tls('stranger')).toEqual({ accepted: false })
  // Its number is no name that anybody could type.
  const { serial } = (await ok('certificates/list', { search: 'bob' })).result as never as Record<string, string>
  expect(await pap(`1-certificate/${serial}`, 'x')).toEqual({ accepted: false })
  await ok('certificates/revoke', { id })
  await until(async () => !(await tls('bob')).accepted)
})

test('the journal says who signed in, from where and how, and why not', async () => {
  const rows = await until(async () => {
    const all = await journal()
    return all.some(row => row.eap === 'TLS') && all
  })
  expect(rows.find(row => row.eap === undefined && row.accepted)).toMatchObject({
    ...{ name: 'zoë@harbour', mac: '02:00:00:00:00:01', called: 'AA-BB:Office', from: '10.77.0.3' },
  })
  expect(rows.find(row => row.name === 'mallory')).toMatchObject({ accepted: false, why: 'unknown' })
  expect(rows.find(row => row.eap === 'TTLS' && row.accepted)).toMatchObject({ name: 'alice' })
})

test('“Try it” asks the real server and tells what decided', async () => {
  await user({ name: 'carol', password, enabled: false })
  const tried = (name: string, typed: string) => ok('radius/try', { name, password: typed })
  expect(await tried('alice', password)).toEqual({ outcome: 'accepted', by: 'alice', vlan: 20 })
  expect(await tried('alice', 'wrong-password')).toEqual({ outcome: 'refused', why: 'password' })
  expect(await tried('nobody', password)).toEqual({ outcome: 'refused', why: 'unknown' })
  expect(await tried('carol', password)).toEqual({ outcome: 'refused', why: 'disabled' })
  expect(await tried('bob', password)).toEqual({ outcome: 'refused', why: 'noPassword' })
})

test('who was removed is refused', async () => {
  const { id } = await user({ name: 'dora', password })
  await until(async () => (await pap('dora', password)).accepted)
  await ok('settings/radiusUser/delete', { ids: [id] })
  await until(async () => !(await pap('dora', password)).accepted)
})

test('a user of one network is nobody in another', async () => {
  const place = { country: 'PT', timezone: 'Europe/Lisbon' }
  const { id } = await ok('networks/add', { networkName: 'Annex', ...place })
  const networkId = Number(id)
  await ok('settings/radiusUser/save', { networkId, name: 'erin', password, enabled: true })
  await ok('radius/switch', { networkId, on: true })
  const tried = (of: object) => ok('radius/try', { ...of, name: 'erin', password })
  await until(async () => (await tried({ networkId })).outcome === 'accepted')
  expect(await tried({})).toEqual({ outcome: 'refused', why: 'unknown' })
  expect(await pap('erin', password)).toEqual({ accepted: false })
  await ok('radius/switch', { networkId, on: false })
})

test('with the manager stopped, everybody known still signs in', async () => {
  await until(async () => (await pap('alice', password)).accepted)
  await manager.stop()
  try {
    expect(await pap('alice', password)).toEqual({ accepted: true, vlan: 20 })
    expect(await peap('alice', password)).toEqual({ accepted: true, vlan: 20 })
    expect(await pap('mallory', password)).toEqual({ accepted: false })
  } finally {
    await start()
  }
})

test('no password stands in the files in clear', () => {
  const users = readFileSync(`${radius.folder}/conf/users`, 'utf8')
  expect(users).toContain('1/alice')
  expect(users).not.toContain('Anchor')
})

test('turned off it answers nobody; Try it says so', async () => {
  await ok('radius/switch', { on: false })
  expect((await owner.post('radius/get', {})).data).toEqual({ state: 'off' })
  await until(() =>
    pap('alice', password).then(
      () => false,
      () => true,
    ),
  )
  expect((await owner.post('radius/try', { name: 'alice', password })).retCode).toBe(codes.radiusOff)
})

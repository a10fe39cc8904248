// What FreeRADIUS is given: its files, from users, clients and certificates. A real one reads them in tests/lab.
import { spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { DOMParser } from '@xmldom/xmldom'
import { devices } from '@/db/schema'
import { codes } from '@/model/codes'
import { desiredOf, desiredSecrets, loadKinds, networkDocuments } from '@/server/devices/change/plan/desired'
import { radiusHere } from '@/server/drivers/radius-here'
import { lastFailure, putFiles } from '@/server/guests/radius/here/folder'
import { lastSignIns } from '@/server/guests/radius/here/journal'
import { md4, ntHash } from '@/server/guests/radius/here/md4'
import { radiusdConf, usersFile } from '@/server/guests/radius/here/render'
import { renewRadius, startRadius, whoLost } from '@/server/guests/radius/here/start'
import { removeFolder } from '../../appliance/_manager'
import { until } from '../../lab/_lab'
import { awkward } from '../../model/_random'
import { type Browser, finishedWizard, type Manager, startTestManager } from '../_manager'
import { network, organization, person as somebody } from '../_people'

const fatal = (level: string, message: string) => {
  throw new Error(`${level}: ${message}`)
}

// RFC 1320, appendix A.5; the last two cross the ends of blocks.
test.each([
  ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
  ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['message digest', 'd9130a8164549fe818874806e1c7014b'],
  ['abcdefghijklmnopqrstuvwxyz', 'd79e1c308aa5bbcdeea8ed63df412da9'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', '043f8582f241db351ce627e153e7f0e4'],
  ['1234567890'.repeat(8), 'e33b4ddc9c38f2199c3e7b164fcc0536'],
])('MD4 of %p is as RFC 1320 has it', (text, sum) => {
  expect(md4(Buffer.from(text)).toString('hex')).toBe(sum)
})
test('a password is kept for MS-CHAPv2 as RFC 2759 has it', () => {
  expect(ntHash('clientPass')).toBe('44ebba8d5312b8d611474411f56989ae')
})

const person = { id: '00000000-0000-4000-8000-000000000001', network: 3, name: 'alice', serials: [] }
test('a user has a password, a VLAN and certificates, each below the network', () => {
  const text = usersFile([{ ...person, password: 'clientPass', vlan: 20, serials: ['4a01'] }])
  expect(text).toBe(`# Made by Lanward.
"3/alice" NT-Password := 0x44ebba8d5312b8d611474411f56989ae
	Tunnel-Type = VLAN,
	Tunnel-Medium-Type = IEEE-802,
	Tunnel-Private-Group-Id = "20",
	Class = 0x${Buffer.from(person.id).toString('hex')}

"3-certificate/4a01" Auth-Type := Accept
	User-Name = "alice",
	Tunnel-Type = VLAN,
	Tunnel-Medium-Type = IEEE-802,
	Tunnel-Private-Group-Id = "20",
	Class = 0x${Buffer.from(person.id).toString('hex')}
`)
})
test('who loses what they sign in with, or their VLAN, is put out; whoever gets more is not', () => {
  const before = { ...person, password: 'clientPass', vlan: 20, serials: ['4a01'] }
  const lost = (now: object) => whoLost([before], [{ ...before, ...now }]).size === 1
  expect(lost({})).toBe(false)
  expect(lost({ serials: ['4a01', '4a02'] })).toBe(false)
  expect(lost({ serials: [] })).toBe(true)
  expect(lost({ password: 'another pass' })).toBe(true)
  expect(lost({ vlan: 30 })).toBe(true)
  expect(lost({ name: 'bob' })).toBe(true)
  expect(whoLost([before], [])).toEqual(new Map([[3, new Set([person.id])]]))
  expect(whoLost([{ ...person }], [before]).size).toBe(1)
  expect(whoLost([{ ...person }], [{ ...person, password: 'clientPass' }]).size).toBe(0)
})
test('whatever a name holds, it stays one word of one line', () => {
  for (const piece of awkward) {
    const [, first = ''] = usersFile([{ ...person, name: `a${piece}b`, password: 'clientPass' }]).split('\n')
    expect(first).toMatch(/^"3\/a[^"\\%$\r\n]*b" NT-Password := 0x[0-9a-f]{32}$/)
  }
})

const wanted = { askers: [], organizations: [1], ownSecret: 'own' }
test('each client asks its own organization’s part, and says its network', () => {
  const asker = { id: 'device_7', address: '10.0.0.7', secret: 's3cret', network: 3, organization: 1 }
  const text = radiusdConf({ ...wanted, askers: [asker] })
  expect(text).toContain(
    'client device_7 {\n\tipaddr = 10.0.0.7\n\tsecret = "s3cret"\n\tvirtual_server = organization_1\n\tnetwork = 3\n}\n',
  )
  expect(text.match(/^(server|\teap) \w+ \{$/gm)).toEqual([
    '\teap eap_1 {',
    'server organization_1 {',
    'server inner_1 {',
    'server certificates {',
    'server own {',
  ])
  // It stays with 20 MB: queues of Debian's size take 90.
  expect(text).toContain('max_queue_size = 1024')
})

describe('the folder', () => {
  const folder = mkdtempSync(`${tmpdir()}/lanward-radius-`)
  let manager: Manager
  let owner: Browser
  beforeAll(async () => {
    mkdirSync(`${folder}/conf`)
    mkdirSync(`${folder}/run`)
    const withFolder = (runtime: Manager['runtime']) => void Object.assign(runtime.config, { radius: folder })
    manager = await startTestManager({ starters: [withFolder, startRadius] })
    owner = await finishedWizard(manager)
  })
  afterAll(async () => {
    await manager.stop()
    removeFolder(folder)
  })
  const ok = async (path: string, body: object) => {
    const answer = await owner.post(path, body)
    expect(answer).toMatchObject({ retCode: 0 })
    return answer.data
  }
  const files = () => readdirSync(`${folder}/conf`).toSorted()
  const read = (name: string) => readFileSync(`${folder}/conf/${name}`, 'utf8')

  test('is empty until it is turned on, and has no certificate or user after it was turned off', async () => {
    expect(files()).toEqual([])
    expect((await owner.post('radius/get', {})).data).toEqual({ state: 'off' })
    await ok('settings/radiusUser/save', { name: 'alice', password: 'clientPass', enabled: true })
    await ok('radius/switch', { on: true })
    expect(files()).toEqual(['1-authority.pem', '1.pem', 'apply', 'on', 'radiusd.conf', 'users'])
    expect(read('users')).toContain('"1/alice" NT-Password := 0x44ebba8d5312b8d611474411f56989ae')
    for (const name of files())
      expect(statSync(`${folder}/conf/${name}`).mode & 0o777).toBe(name === 'apply' ? 0o640 & ~process.umask() : 0o640)
    await ok('radius/switch', { on: false })
    expect(files()).toEqual(['apply'])
  })

  test('two clients of one address are one: the first that a person entered; the server would not start else', async () => {
    await ok('radius/switch', { on: true })
    for (const name of ['First', 'Second'])
      await ok('settings/radiusClient/save', { name, address: '10.0.0.9', secret: `${name}-secret` })
    await ok('radius/switch', { on: true })
    expect(read('radiusd.conf').match(/ipaddr = 10\.0\.0\.9\n\tsecret = ".*"/g)).toEqual([
      'ipaddr = 10.0.0.9\n\tsecret = "First-secret"',
    ])
  })

  test('nobody takes the place of another company’s device by entering its address', async () => {
    const { db } = manager.runtime
    const company = organization(manager, 'Elsewhere')
    const there = network(manager, 'There', company)
    const other = await somebody(manager, { role: 'superAdministrator', all: true, organization: company })
    const place = { organization: 1, network: 1, name: 'lobby', address: '10.0.0.78', port: 22 }
    const { id } = db
      .insert(devices)
      .values({ ...place, driver: 'linux', kind: 'ap', status: 0, statusAt: 1, createdAt: 1 })
      .returning({ id: devices.id })
      .get()
    const client = { networkId: there, name: 'Trap', address: '10.0.0.78', secret: 'Trap-secret' }
    expect((await other.post('settings/radiusClient/save', client)).retCode).toBe(0)
    expect((await other.post('radius/switch', { networkId: there, on: true })).retCode).toBe(0)
    expect(read('radiusd.conf')).toContain(`client device_${id} {\n\tipaddr = 10.0.0.78\n`)
    expect(read('radiusd.conf')).not.toContain('Trap-secret')
  })

  test('G3: a client’s secret has 8 to 64 characters, and none that its files give a meaning', async () => {
    for (const secret of ['short', 'x'.repeat(65), 'has "quotes"', '$' + '{name}xyz', 'line\nbreak-x']) {
      const answer = await owner.post('settings/radiusClient/save', { name: 'Bad', address: '10.0.0.10', secret })
      expect(answer).toMatchObject({ retCode: codes.invalidInput, data: { fields: { secret: expect.anything() } } })
    }
    await ok('settings/radiusClient/save', { name: 'Long', address: '10.0.0.11', secret: 'x'.repeat(64) })
  })

  test.each(['127.0.0.1', '0.0.0.0/0', '10.0.0.5/24', 'ap.example', 'fd00::1'])(
    'a client is a device’s IPv4 address or a segment; %s is refused at its field',
    async address => {
      const answer = await owner.post('settings/radiusClient/save', { name: 'Bad', address, secret: 'long-enough' })
      expect(answer).toMatchObject({ retCode: codes.invalidInput, data: { fields: { address: expect.anything() } } })
    },
  )

  test('what changed nothing makes the server read nothing', () => {
    const same = new Map([['users', 'x']])
    expect(putFiles(folder, same)).toBe(true)
    expect(putFiles(folder, same)).toBe(false)
    // But for a journal that is long: the supervisor puts it aside.
    writeFileSync(`${folder}/run/journal`, 'x'.repeat(20_000_001))
    expect(putFiles(folder, same)).toBe(true)
  })

  test('a network that uses it gives its devices the very secret by which they may ask', async () => {
    await ok('radius/switch', { on: true })
    const place = { organization: 1, network: 1, name: 'ap', address: '10.0.0.77', port: 22 }
    const { id: device } = manager.runtime.db
      .insert(devices)
      .values({ ...place, driver: 'linux', kind: 'ap', status: 0, statusAt: 1, createdAt: 1 })
      .returning({ id: devices.id })
      .get()
    const radius = await ok('settings/radius/save', { name: 'Here', here: true })
    const ssid = { name: 'Staff', security: 'wpa2Enterprise', radius: radius.id }
    await ok('settings/ssid/save', { ...ssid, assign: { all: true, groups: [], devices: [] } })
    await renewRadius(manager.runtime)
    const [, secret = ''] =
      /client device_\d+ \{\n\tipaddr = 10\.0\.0\.77\n\tsecret = "(.*)"/.exec(read('radiusd.conf')) ?? []
    expect(secret).toMatch(/^[\w-]{43}$/)
    const { db, secrets } = manager.runtime
    const kinds = await loadKinds()
    const { documents } = desiredOf(secrets, kinds, networkDocuments(db, 1), { id: device, network: 1, group: null })
    const given = documents.find(one => one.name === 'Staff')?.data.radius
    expect(given).toMatchObject({ here: true, server: radiusHere, secret })
    // What is a secret is masked wherever a difference is shown.
    expect(desiredSecrets(kinds, documents)).toContain(secret)
  })

  test('the journal is read from its end; lines that are none and other networks are passed by', () => {
    const line = (name: string, network = 1) =>
      `1764000000\taccepted\t${network}\t${name}\t02-00-00-00-00-01\tAA-BB%3AOffice\t10.0.0.7\tPEAP\t`
    const rest = [
      'broken',
      '1764000000\tStart\t1\talice',
      line('other', 2),
      '1764000001\trejected\t1\tx%20y%\t\t\t10.0.0.7\t\tunknown',
    ]
    writeFileSync(
      `${folder}/run/journal`,
      `${[...Array(9000).fill(line('old')), line('zo%C3%AB'), ...rest].join('\n')}\n`,
    )
    const [last, before] = lastSignIns(folder, 1)
    expect(last).toEqual({
      at: 1764000001000,
      accepted: false,
      network: 1,
      name: 'x%20y%',
      from: '10.0.0.7',
      why: 'unknown',
    })
    expect(before).toEqual({
      ...{ at: 1764000000000, accepted: true, network: 1, name: 'zoë', mac: '02:00:00:00:00:01' },
      ...{ called: 'AA-BB:Office', from: '10.0.0.7', eap: 'PEAP' },
    })
    expect(lastSignIns(`${folder}/none`, 1)).toEqual([])
  })

  test('what devices account for is who is in: once, whatever is read again, also of a journal that was put aside', async () => {
    const { id } = await ok('settings/radiusUser/save', { name: 'dora', password: 'clientPass', enabled: true })
    // Of long ago a device that says nothing more is taken for lost.
    const base = Math.floor(Date.now() / 1000) - 300
    const user = `0x${Buffer.from(String(id)).toString('hex')}`
    const account = (at: number, status: string, more: { octets?: string; session?: string; seconds?: number } = {}) =>
      [
        ...[base + at, status, 1, 'anonymous', '02-00-00-00-00-01', '02-00-00-00-01-00%3AOffice', '10.0.0.7'],
        ...[more.session ?? 'A1', more.octets ?? ':', more.octets ?? ':', more.seconds ?? 0, user],
      ].join('\t')
    const journal = `${folder}/run/journal`
    const sessions = async () => (await ok('radius/sessions/list', {})).result as unknown as Record<string, unknown>[]
    rmSync(journal)
    writeFileSync(journal, `${account(0, 'Start')}\nbroken\n${account(60, 'Interim-Update', { octets: '1:5' })}\n`)
    const first = {
      ssid: 'Office',
      nas: '10.0.0.7',
      started: base * 1000,
      inBytes: 2 ** 32 + 5,
      outBytes: 2 ** 32 + 5,
    }
    expect(await sessions()).toMatchObject([{ ...first, name: 'dora', mac: '02:00:00:00:00:01', ended: null }])
    // A part of a line is read when it is whole; what stands in the file that was put aside is not lost.
    appendFileSync(journal, account(90, 'Stop', { octets: '1:9' }).slice(0, 20))
    await sessions()
    appendFileSync(journal, `${account(90, 'Stop', { octets: '1:9' }).slice(20)}\n`)
    renameSync(journal, `${journal}.1`)
    writeFileSync(journal, `${account(95, 'Interim-Update', { session: 'B2', seconds: 5 })}\n`)
    const both = await until(async () => {
      const rows = await sessions()
      return rows.length === 2 && rows
    })
    expect(both).toMatchObject([
      { started: (base + 90) * 1000, ended: null },
      { started: base * 1000, ended: (base + 90) * 1000, inBytes: 2 ** 32 + 9 },
    ])
    // Nothing of it counts twice, and a device that begins anew has nobody in.
    const again = [account(0, 'Start'), account(60, 'Interim-Update', { octets: '1:5' }), account(99, 'Accounting-On')]
    appendFileSync(journal, `${again.join('\n')}\n`)
    const over = await until(async () => {
      const rows = await sessions()
      return rows.every(one => one.ended !== null) && rows
    })
    expect(over).toMatchObject([{ ended: (base + 99) * 1000 }, { ended: (base + 90) * 1000, inBytes: 2 ** 32 + 9 }])
    const file = await (await owner.raw('exports/radius-sessions', { method: 'GET' })).text()
    const times = [base, base + 90].map(at => new Date(at * 1000).toISOString()).join(',')
    expect(file).toContain(`dora,02:00:00:00:00:01,Office,10.0.0.7,${times},${2 ** 32 + 9},`)
  })

  test('users come from a file: what is wrong is told by row and nothing is done; passwords never go out', async () => {
    const take = (file: string, check = false) => owner.post('radius/users/import', { file, check })
    expect((await take('name,colour\nx,y\n')).data.fields).toEqual({ file: 'fileColumns' })
    const wrong = await take('name,password,vlan,on\ntwo words,short,1,maybe\nfine,long enough,20,yes\nfine,,,\n')
    expect(wrong.data.errors).toEqual([
      { row: 2, field: 'name', problem: 'radiusName' },
      { row: 2, field: 'on', problem: 'yesOrNo' },
      { row: 2, field: 'password', problem: expect.any(String) },
      { row: 2, field: 'vlan', problem: 'ssidVlan' },
      { row: 4, field: 'name', problem: 'duplicate' },
    ])
    const listed = async () =>
      ((await ok('settings/radiusUser/list', { pageSize: 100 })).result as unknown as { name: string }[]).map(
        one => one.name,
      )
    expect(await listed()).not.toContain('fine')
    expect((await take('name,password,vlan\nfine,long enough,20\n', true)).data).toMatchObject({ added: 1, errors: [] })
    expect(await listed()).not.toContain('fine')
    expect((await take('name;password;vlan\nfine;long enough;20\n')).data).toMatchObject({ added: 1, changed: 0 })
    expect((await take('Name,VLAN\nfine,21\nalice,\n')).data).toMatchObject({ added: 0, changed: 2, errors: [] })
    await renewRadius(manager.runtime)
    // Whose password is not told keeps it.
    expect(read('users')).toContain(`"1/fine" NT-Password := 0x${ntHash('long enough')}`)
    expect(read('users')).toContain('Tunnel-Private-Group-Id = "21"')
    const file = await (await owner.raw('exports/radius-users', { method: 'GET' })).text()
    expect(file).toContain('name,vlan,on')
    expect(file).toContain('fine,21,yes')
    expect(file).not.toContain('long enough')
  })

  test('the staff’s Wi-Fi in one go: all of it, or nothing where a line is wrong; then what devices are given', async () => {
    const wrong = await ok('radius/staff/save', { name: 'Staff', people: 'erin\n\ntwo words,short\nerin\n' })
    expect(wrong).toMatchObject({ errors: [{ row: 3, field: 'name' }, { row: 3, field: 'password' }, { row: 4 }] })
    const listed = async (kind: string) =>
      ((await ok(`settings/${kind}/list`, { pageSize: 100 })).result as unknown as { id: string; name: string }[]).map(
        one => one.name,
      )
    expect(await listed('radiusUser')).not.toContain('erin')
    expect((await ok('radius/staff/save', { name: 'Staff', people: '' })).errors).toHaveLength(1)
    const bad = await owner.post('radius/staff/save', { name: 'x'.repeat(33), vlan: 1, people: 'erin' })
    expect(bad.data.fields).toMatchObject({ name: expect.anything(), vlan: 'ssidVlan' })
    await ok('radius/switch', { on: false })
    const made = await ok('radius/staff/save', {
      name: 'Crew & "co" ü',
      vlan: 30,
      people: 'erin\nfinn , of his "own", he says \r\nalice',
    })
    expect(made.people).toEqual([
      { name: 'erin', password: expect.stringMatching(/^(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}$/) },
      { name: 'finn', password: 'of his "own", he says' },
      // Was there before, with a password.
      { name: 'alice' },
    ])
    expect((await ok('radius/get', {})).state).not.toBe('off')
    expect(read('users')).toContain(`"1/finn" NT-Password := 0x${ntHash('of his "own", he says')}`)
    const network = await ok('settings/ssid/get', { id: made.ssid })
    expect(network).toMatchObject({ name: 'Crew & "co" ü', security: 'wpa2wpa3Enterprise', vlan: 30 })
    expect(await ok('settings/radius/get', { id: network.radius })).toMatchObject({ here: true })
    const given = async (system: string) =>
      (
        await owner.raw(`exports/staff-profile?${new URLSearchParams({ ssid: String(made.ssid), system })}`, {
          method: 'GET',
        })
      ).text()
    const apple = new DOMParser({ errorHandler: fatal }).parseFromString(await given('apple'), 'text/xml')
    const texts = Array.from(apple.getElementsByTagName('string'), one => one.textContent)
    expect(texts).toEqual(
      expect.arrayContaining(['Crew & "co" ü', 'radius.lanward.internal', 'com.apple.wifi.managed']),
    )
    const authority = await (await owner.raw('exports/certificate?what=authority', { method: 'GET' })).text()
    const der = new X509Certificate(authority).raw
    expect(apple.getElementsByTagName('data')[0]?.textContent).toBe(der.toString('base64'))
    const script = await given('windows')
    const xml = /@'\r\n([\s\S]*?)\r\n'@/.exec(script)?.[1] ?? ''
    const windows = new DOMParser({ errorHandler: fatal }).parseFromString(xml, 'text/xml')
    const value = (tag: string) => windows.getElementsByTagName(tag)[0]?.textContent
    expect(value('hex')).toBe(Buffer.from('Crew & "co" ü').toString('hex').toUpperCase())
    expect(value('TrustedRootCA')?.replaceAll(' ', '')).toBe(createHash('sha1').update(der).digest('hex'))
    const linux = await given('linux')
    const { stdout } = spawnSync('sh', ['-s', 'erin'], {
      ...{ input: `nmcli() { printf '%s|' "$@"; }\n${linux}`, encoding: 'utf8' },
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    })
    expect(stdout).toContain('ssid|Crew & "co" ü|')
    expect(stdout).toContain('802-1x.identity|erin|')
    const [, kept = ''] = /802-1x\.ca-cert\|([^|]*)/.exec(stdout) ?? []
    expect(readFileSync(kept, 'utf8').trim()).toBe(authority.trim())
    for (const one of [await given('apple'), script, linux]) expect(one).not.toContain('he says')
  })

  test('why it did not start is its own last word', () => {
    const log =
      'Tue Nov 24 02:00:00 2026 : Info: Starting\nTue Nov 24 02:00:00 2026 : Error: Failed binding to auth address * port 1812\n'
    writeFileSync(`${folder}/run/log`, log)
    expect(lastFailure(folder)).toBe('Failed binding to auth address * port 1812')
  })
})

test('where nothing starts FreeRADIUS it is told so, and cannot be turned on', async () => {
  const manager = await startTestManager({ starters: [startRadius] })
  try {
    const owner = await finishedWizard(manager)
    expect((await owner.post('radius/get', {})).data).toEqual({ state: 'unavailable' })
    expect((await owner.post('radius/switch', { on: true })).retCode).toBe(codes.radiusUnavailable)
  } finally {
    await manager.stop()
  }
})

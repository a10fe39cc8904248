// Guests who sign in by name and password: against Debian's own FreeRADIUS and slapd, by the portal's own page.
import { eq } from 'drizzle-orm'
import { guestAccounts } from '@/db/schema'
import { codes } from '@/model/codes'
import { startGuestAccounting } from '@/server/guests/sessions/accounting'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { type Guest, type House, house, used } from '../server/guests/_house'
import { type LabDirectory, people, reader, startDirectory } from './_directory'
import { addressOf, lab, until } from './_lab'

const password = 'Anchor-Chain-7'
const secret = 'Harbour "quoted" secret'
let ldap: LabDirectory
let one: House
let radius: string
let count = 0
function device(): Guest {
  count += 1
  return { mac: `02:00:00:02:00:${count.toString(16).padStart(2, '0')}`, ip: `10.66.2.${count}` }
}
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const rowOf = ({ mac }: Guest) => one.rows().findLast(row => row.mac === mac)

const users = `
ann Cleartext-Password := "${password}", Calling-Station-Id =~ "^02-00-00-02-"
    Session-Timeout = 1200,
    Idle-Timeout = 600,
    WISPr-Bandwidth-Max-Down = 8000000,
    WISPr-Bandwidth-Max-Up = 512000,
    Class = 0x6c616e77617264

büro Cleartext-Password := "pässwort ${'x'.repeat(80)}"
`
async function inside(line: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await lab.in('c2', ['sh', '-c', line], { input })
  if (code !== 0) throw new Error(`${line}: ${stderr}${stdout}`)
  return stdout.trim()
}
const conf = '/etc/freeradius/3.0'
async function startRadius(): Promise<string> {
  await inside(`cat >${conf}/mods-config/files/authorize`, users)
  const escaped = secret.replaceAll('"', '\\"')
  await inside(
    `cat >>${conf}/clients.conf`,
    `\nclient manager {\n\tipaddr = 10.77.0.0/16\n\tsecret = "${escaped}"\n}\n`,
  )
  await inside('freeradius </dev/null >/dev/null 2>&1')
  return addressOf('c2')
}

const stopRadius = () => inside('pkill -x freeradius; while pgrep -x freeradius >/dev/null; do sleep 0.1; done')

const save = (data: object) => one.owner.post('settings/portal/save', data)

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  ldap = await startDirectory()
  radius = await startRadius()
  await ldap.person('ben', password)
  await ldap.person('dora', password, { userAccountControl: '514' })
  const guests = await ldap.group('guests', [`uid=ben,${people}`, `uid=dora,${people}`])
  for (const uid of ['carl', 'emil']) await ldap.person(uid, password)
  one = await house()
  const { data } = await one.owner.post('settings/radius/save', {
    name: 'Site',
    server: radius,
    secret,
    ...{ retryTimeout: 2, retries: 1, accounting: true, accountingInterval: 30 },
  })
  const portal = await one.save('portal', {
    ...{ name: 'Logins', methods: ['radius', 'directory', 'free'], radius: data.id, directoryType: 'activeDirectory' },
    ...{ directoryHost: ldap.host, directoryCa: ldap.ca, directoryBase: 'dc=lab,dc=test' },
    ...{
      directoryAdmin: reader.bindDn,
      directorySecret: reader.bindPassword,
      directoryCondition: `(memberOf=${guests})`,
    },
  })
  const { data: lan } = await one.owner.post('settings/lan/get', { id: one.lan })
  const { name, vlan, address, dhcp, assign, revision } = lan as Record<string, unknown>
  const moved = await one.owner.post('settings/lan/save', {
    ...{ id: one.lan, revision, name, vlan, address, dhcp, assign },
    portal,
  })
  if (moved.retCode !== 0) throw new Error(JSON.stringify(moved))
})
afterAll(async () => {
  await one?.end()
  await lab.reset('c1')
  await lab.reset('c2')
})

const byRadius = (guest: Guest, radiusName: string, radiusPassword: string) =>
  one.send(guest, { method: 'radius', radiusName, radiusPassword })
const byDirectory = (guest: Guest, directoryName: string, directoryPassword: string) =>
  one.send(guest, { method: 'directory', directoryName, directoryPassword })

test('the page asks for both, told apart, without script', async () => {
  const { text } = await one.get(one.query(device()))
  expect(text).toMatch(/id="radiusName"[^>]*autocomplete="username"/)
  expect(text).toMatch(/type="password" id="directoryPassword"/)
  expect(text).toContain('>Sign in with your account</button>')
  expect(text).not.toMatch(/<script/i)
})

test('RADIUS lets in whom FreeRADIUS accepts, for as long and as fast as it says', async () => {
  const guest = device()
  expect((await byRadius(guest, 'ann', password)).text).toContain('You are online')
  expect(one.gateway.in.get(guest.mac)?.bounds).toEqual({
    ...{ mac: guest.mac, lan: one.lan, seconds: 1200, idleSeconds: 600, download: 8000, upload: 512 },
  })
  expect(rowOf(guest)).toMatchObject({ method: 1, label: 'ann', ended: null })
})

test('RADIUS: names and passwords of any script and length, as they are', async () => {
  const guest = device()
  await byRadius(guest, 'büro', `pässwort ${'x'.repeat(80)}`)
  expect(isIn(guest)).toBe(true)
})

test.each([
  ['a wrong password', 'ann', 'wrong', 'User name or password is wrong.'],
  ['an unknown name', 'nobody', password, 'User name or password is wrong.'],
  ['no password', 'ann', '', 'Enter the password.'],
  ['no name', ' ', password, 'Enter your user name.'],
])('RADIUS: %s lets nobody in and is told at its field', async (_, name, typed, words) => {
  const guest = device()
  const { text } = await byRadius(guest, name, typed)
  expect(text).toContain(words)
  expect(text).toMatch(/id="radius(Name|Password)"[^>]*aria-invalid="true"/)
  expect(text).not.toContain(`value="${typed || password}"`)
  expect(isIn(guest)).toBe(false)
})

const moved = async (more: object) => {
  const { data } = await one.owner.post('settings/portal/list', {})
  const found = (data.result as Record<string, unknown>[]).find(row => row.name === 'Logins')
  const { position, changedAt, changedBy, assign, scope, damaged, ...fields } = found ?? {}
  const saved = await save({ ...fields, directorySecret: reader.bindPassword, ...more })
  if (saved.retCode !== 0) throw new Error(JSON.stringify(saved))
}

test.each(['pap', 'chap', 'mschapv2'])('RADIUS by %s: the right password lets in, a wrong one does not', async how => {
  await moved({ radiusMethod: how })
  const [ann, buero, wrong, unknown] = [device(), device(), device(), device()]
  await byRadius(ann, 'ann', password)
  await byRadius(buero, 'büro', `pässwort ${'x'.repeat(80)}`)
  expect((await byRadius(wrong, 'ann', `${password}!`)).text).toContain('User name or password is wrong.')
  expect((await byRadius(unknown, 'nobody', password)).text).toContain('User name or password is wrong.')
  expect([ann, buero, wrong, unknown].map(isIn)).toEqual([true, true, false, false])
})

/** What FreeRADIUS wrote down of a device, one record each; by attribute. */
async function records({ mac }: Guest): Promise<Map<string, string>[]> {
  const text = await inside('cat /var/log/freeradius/radacct/*/detail-* 2>/dev/null || true')
  const station = `Calling-Station-Id = "${mac.toUpperCase().replaceAll(':', '-')}"`
  return text
    .split('\n\n')
    .filter(one => one.includes(station))
    .map(
      one => new Map([...one.matchAll(/^\t([\w-]+) = "?(.*?)"?$/gm)].map(([, name = '', value = '']) => [name, value])),
    )
}
const statuses = async (guest: Guest) => (await records(guest)).map(one => one.get('Acct-Status-Type'))
const noted = (guest: Guest, ...wanted: string[]) => until(async () => (await statuses(guest)).join() === wanted.join())
const db = () => one.manager.runtime.db
const dueNow = (guest: Guest) => {
  db()
    .update(guestAccounts)
    .set({ dueAt: 0 })
    .where(eq(guestAccounts.guest, rowOf(guest)?.id ?? 0))
    .run()
  one.manager.runtime.bus.emit({ topic: 'guests', organization: 1, network: 1 })
}

describe('RADIUS accounting, as FreeRADIUS wrote it down', () => {
  test('what waited while the manager was down is told once it runs', async () => {
    const waiting = db().select().from(guestAccounts).all()
    expect(waiting.length).toBeGreaterThan(3)
    expect(waiting.every(one => one.told === null)).toBe(true)
    startGuestAccounting(one.manager.runtime)
    await until(() =>
      db()
        .select()
        .from(guestAccounts)
        .all()
        .every(one => one.told !== null),
    )
    for (const { mac } of waiting) expect(await statuses({ mac, ip: '' })).toEqual(['Start'])
  })

  test('a session is told of when it begins, as it goes on and when it ends, with its bytes, time and cause', async () => {
    const guest = device()
    await byRadius(guest, 'ann', password)
    await noted(guest, 'Start')
    used(one.gateway, guest.mac, 5_000_000_000)
    await lookAtGuests(one.manager.runtime, 1)
    dueNow(guest)
    await noted(guest, 'Start', 'Interim-Update')
    used(one.gateway, guest.mac, 5_000_000_700)
    await lookAtGuests(one.manager.runtime, 1)
    await one.owner.post('guests/remove', { ids: [rowOf(guest)?.id] })
    await noted(guest, 'Start', 'Interim-Update', 'Stop')
    const all = await records(guest)
    const [start, interim, stop] = all
    for (const record of all) {
      expect(record.get('User-Name')).toBe('ann')
      expect(record.get('Class')).toBe('0x6c616e77617264')
      expect(record.get('Acct-Session-Id')).toBe(start?.get('Acct-Session-Id'))
      expect(record.get('Framed-IP-Address')).toBe(guest.ip)
    }
    expect([interim, stop].map(one => [one?.get('Acct-Output-Gigawords'), one?.get('Acct-Output-Octets')])).toEqual([
      ['1', '705032704'],
      ['1', '705033404'],
    ])
    const row = rowOf(guest)
    expect(stop?.get('Acct-Terminate-Cause')).toBe('Admin-Reset')
    expect(Number(stop?.get('Acct-Session-Time'))).toBe(Math.floor(((row?.ended ?? 0) - (row?.started ?? 0)) / 1000))
    await until(
      () =>
        db()
          .select()
          .from(guestAccounts)
          .where(eq(guestAccounts.guest, row?.id ?? 0))
          .all().length === 0,
    )
  })

  test('a guest who signs out is a user’s request; one without RADIUS is told of to nobody', async () => {
    const [ann, free] = [device(), device()]
    await byRadius(ann, 'ann', password)
    await one.send(free, { method: 'free' })
    await noted(ann, 'Start')
    await one.send(ann, { act: 'leave' })
    await noted(ann, 'Start', 'Stop')
    expect((await records(ann))[1]?.get('Acct-Terminate-Cause')).toBe('User-Request')
    expect(await records(free)).toEqual([])
  })

  test('G3: what a server that was away missed is told when it is back, with the time at which it was', async () => {
    const guest = device()
    const warned = jest.mocked(console.warn)
    warned.mockClear()
    await byRadius(guest, 'ann', password)
    await noted(guest, 'Start')
    await stopRadius()
    await one.owner.post('guests/remove', { ids: [rowOf(guest)?.id] })
    // It was ten minutes long, and ended a minute ago.
    const own = eq(guestAccounts.guest, rowOf(guest)?.id ?? 0)
    const ended = Date.now() - 60_000
    db()
      .update(guestAccounts)
      .set({ ended, started: ended - 600_000 })
      .where(own)
      .run()
    await until(() => warned.mock.calls.flat().join().includes('notes no accounting'))
    await inside('freeradius </dev/null >/dev/null 2>&1')
    dueNow(guest)
    await noted(guest, 'Start', 'Stop')
    const [start, stop] = await records(guest)
    expect(stop?.get('Acct-Session-Time')).toBe('600')
    expect(Number(stop?.get('Acct-Delay-Time'))).toBeGreaterThanOrEqual(60)
    expect(stop?.get('Acct-Session-Id')).toBe(start?.get('Acct-Session-Id'))
  })
})

test('the directory lets in who is of the group, by TLS, and nobody else', async () => {
  const guest = device()
  expect((await byDirectory(guest, 'Ben', password)).text).toContain('You are online')
  expect(rowOf(guest)).toMatchObject({ method: 20, label: 'Ben' })
  for (const [name, typed] of [
    ['ben', 'wrong'],
    ['carl', password],
    ['dora', password],
    ['*', password],
    ['ben)(uid=*', password],
    ['nobody', password],
  ] as const) {
    const other = device()
    expect((await byDirectory(other, name, typed)).text).toContain('User name or password is wrong.')
    expect(isIn(other)).toBe(false)
  }
})

test('guessing: a name is locked after six wrong passwords from ever new devices, the right one among them', async () => {
  for (let tries = 0; tries < 6; tries++)
    expect((await byDirectory(device(), 'emil', `no${tries}`)).text).toContain('is wrong')
  expect((await byDirectory(device(), 'EMIL', password)).text).toContain('Wait 10 minutes')
  const guest = device()
  await byRadius(guest, 'ann', password)
  expect(isIn(guest)).toBe(true)
})

test('guesses at one name at the same time meet the lock', async () => {
  const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => byDirectory(device(), 'many', `no${at}`)))
  expect(answers.filter(one => one.text.includes('is wrong'))).toHaveLength(6)
  expect(answers.filter(one => one.text.includes('Wait 10 minutes'))).toHaveLength(3)
})

test('the administrator’s password and the shared secret are shown to nobody', async () => {
  const { data } = await one.owner.post('settings/portal/list', {})
  expect(JSON.stringify(data)).not.toContain(reader.bindPassword)
})

test('G4: another server gets the stored password only if it is typed again', async () => {
  const { data } = await one.owner.post('settings/portal/list', {})
  const found = (data.result as Record<string, unknown>[]).find(row => row.name === 'Logins')
  const { id, revision, position, changedAt, changedBy, assign, scope, damaged, ...fields } = found ?? {}
  const moved = await save({ ...fields, id, revision, directoryHost: '192.0.2.9' })
  expect([moved.retCode, moved.data.fields]).toEqual([codes.invalidInput, { directorySecret: 'typeAgain' }])
})

test('a server that does not answer is told as that, and counts as no guess', async () => {
  await stopRadius()
  await ldap.stop()
  const guest = device()
  expect((await byRadius(guest, 'ann', password)).text).toContain('did not answer')
  expect((await byDirectory(guest, 'ben', password)).text).toContain('did not answer')
  expect(rowOf(guest)).toMatchObject({ why: 'loginSilent', state: 2 })
  await ldap.start()
  await until(async () => {
    await byDirectory(guest, 'ben', password)
    return isIn(guest)
  })
})

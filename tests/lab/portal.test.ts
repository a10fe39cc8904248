// Guests from one end to the other: c1 and c2 join a network of guests behind a real gateway, are led to the portal of a real
// manager, get in by each way, and are in no longer than they should be.
import { web } from './_firewall'
import { curl as asked, type Client as Guest, isIn, macs } from './_guests'
import { lab, until } from './_lab'
import { everyWay, type House, led, portalHouse, secondsOnGateway, send } from './_portal'

let house: House

const curl = (guest: Guest, ...words: string[]) => asked(guest, '-m', '20', ...words)
const got = async (guest: Guest, ...words: string[]) => (await curl(guest, ...words)).stdout
const enter = (guest: Guest, fields: Record<string, string>) => send(guest, { terms: '1', ...fields })
const rowOf = async (guest: Guest) => (await house.rows(macs[guest]))[0]
const remove = async (guest: Guest) => house.owner.must('guests/remove', { ids: [(await rowOf(guest))?.id] })

beforeAll(async () => {
  house = await portalHouse(everyWay)
})
afterAll(async () => {
  await house?.end()
})

test('DHCP, then the first request is led to the manager’s page; nothing else answers', async () => {
  const { page, url } = await led('c1')
  expect(url).toMatch(
    /^http:\/\/10\.77\.0\.10:\d+\/portal\/[0-9a-f-]{36}\?mac=02:00:5e:10:00:c1&ip=192\.168\.20\.1\d\d&at=\d+&url=/,
  )
  expect(page).toContain('Welcome to the Wi-Fi')
  expect(page).toContain('Be kind.')
  expect(await isIn('c1')).toBe(false)
  const { origin } = new URL(url)
  expect(await got('c1', '-o', '/dev/null', '-w', '%{http_code}', `${origin}/login`)).toBe('404')
})

test('one press lets in, and only whoever pressed; the list says so', async () => {
  expect(await send('c1', { method: 'free' })).toContain('Accept the terms of use first.')
  expect(await isIn('c1')).toBe(false)
  const page = await enter('c1', { method: 'free' })
  expect(page).toContain('You are online')
  expect(page).toContain('href="https://house.example/"')
  await until(() => isIn('c1'))
  expect(await isIn('c2')).toBe(false)
  expect(await rowOf('c1')).toMatchObject({ state: 1, ended: null })
})

test('removing cuts an open download off at once', async () => {
  await lab.sh('inet', 'truncate -s 2G /srv/big')
  const before = Number((await lab.sh('c1', 'cat /sys/class/net/eth0/statistics/rx_bytes')).stdout)
  const download = lab.in('c1', ['curl', '-s', '-o', '/dev/null', '-m', '120', '--limit-rate', '2M', `${web}big`], {
    timeoutMs: 130_000,
  })
  // So much has come that it runs.
  await until(async () => {
    return Number((await lab.sh('c1', 'cat /sys/class/net/eth0/statistics/rx_bytes')).stdout) - before > 4_000_000
  })
  await remove('c1')
  // Neither whole, nor given up on by curl itself (28): the connection was ended.
  expect([0, 28]).not.toContain((await download).code)
  expect(await isIn('c1')).toBe(false)
  expect(await rowOf('c1')).toMatchObject({ state: 0, why: 'removed' })
})

test('a guest who is given more time has it on the gateway', async () => {
  await enter('c1', { method: 'free' })
  await until(() => isIn('c1'))
  const before = await secondsOnGateway('c1')
  const answer = await house.owner.must('guests/extend', { ids: [(await rowOf('c1'))?.id], minutes: 60 })
  expect(answer).toEqual({ extended: 1, less: 0, silent: 0 })
  expect((await secondsOnGateway('c1')) - before).toBeGreaterThan(3300)
  expect(await isIn('c1')).toBe(true)
})

test('a blocked device is cut off, told so whatever it tries, and let in again once released', async () => {
  const device = { macs: [macs.c1] }
  expect(await house.owner.must('guests/block', device)).toEqual({ blocked: 1, ended: 1, silent: [] })
  expect(await isIn('c1')).toBe(false)
  const { page, url } = await led('c1')
  expect(page).toContain('This device is blocked')
  // As somebody would who kept the form.
  const [base = '', query = ''] = url.split('?')
  const kept = `${query}&terms=1&method=simplePassword&password=harbour`
  expect(await got('c1', '-d', kept, base)).toContain('This device is blocked')
  expect(await isIn('c1')).toBe(false)
  await house.owner.must('guests/unblock', device)
  expect(await enter('c1', { method: 'free' })).toContain('You are online')
  await until(() => isIn('c1'))
  await remove('c1')
})

test('a password lets in, a wrong one does not', async () => {
  expect(await enter('c2', { method: 'simplePassword', password: 'harbor' })).toContain('This password is wrong.')
  expect(await isIn('c2')).toBe(false)
  expect(await enter('c2', { method: 'simplePassword', password: 'harbour' })).toContain('You are online')
  await until(() => isIn('c2'))
})

test('a guest signs out by the page’s own form', async () => {
  await remove('c2')
  const { url, form } = await led('c2')
  const cookie = '/tmp/portal-cookie'
  const data = [...form, ['terms', '1'], ['method', 'free']].flatMap(([name, value]) => [
    '--data-urlencode',
    `${name}=${value}`,
  ])
  const base = url.split('?')[0] ?? ''
  await got('c2', '-c', cookie, ...data, base)
  await until(() => isIn('c2'))
  // Whoever kept the page's cookie finds it again without a gateway's redirect.
  expect(await got('c2', '-b', cookie, base)).toContain('Time left')
  expect(await got('c2', '-b', cookie, '-d', 'act=leave', base)).toContain('You are disconnected')
  expect(await isIn('c2')).toBe(false)
})

// Guests who sign in on a page elsewhere: a real gateway, a real manager, and the page of docs/admin/portal-page.md on a web
// server at an address of its own.
import { type ExternalPage, externalPage } from '../_external-page'
import { freePort } from '../appliance/_manager'
import { curl as asked, type Client as Guest, isIn, location, macs, page } from './_guests'
import { lab, run, until } from './_lab'
import { guestVlan, type House, led, portalHouse } from './_portal'
import { join } from './_vlan'

const key = 'k7wpe-4mxrt-9abcd-efghj'
/** Of the page's server, beside the manager; guests reach neither by themselves. */
const host = '10.77.0.13'
const newMac = '02:00:5e:10:00:e1'

let house: House
let elsewhere: ExternalPage
let device: string

const curl = (guest: Guest, ...words: string[]) => asked(guest, '-m', '20', ...words)
const rowOf = async (mac: string) => (await house.rows(mac))[0]
/** Where a guest is led on by an address; the status where it is not. */
async function leads(guest: Guest, url: string): Promise<string> {
  const { stdout } = await curl(guest, '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', url)
  const [status = '', to = ''] = stdout.split(' ')
  return to || status
}
/** The address of the page elsewhere to which the portal leads a guest, with its question. */
async function question(guest: Guest): Promise<URL> {
  const { page: text } = await led(guest)
  return new URL(/<a class="button" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '')
}
const macIn = (at: URL) =>
  JSON.parse(Buffer.from(at.searchParams.get('ask') ?? '', 'base64url').toString()).mac as string
const remove = async (mac: string) => house.owner.must('guests/remove', { ids: [(await rowOf(mac))?.id] })

async function becomes(guest: Guest, mac: string): Promise<void> {
  await lab.sh(guest, `ip link set eth0 down; ip link set eth0 address ${mac}; ip link set eth0 up`)
  await join(guestVlan, guest)
}

beforeAll(async () => {
  const { addresses } = await lab.up()
  device = (await run('ip', ['-o', '-4', 'addr', 'show', 'to', addresses.mgr])).stdout.split(/\s+/)[1] ?? ''
  await run('ip', ['addr', 'add', `${host}/32`, 'dev', device])
  elsewhere = await externalPage(key, host, await freePort(), 'Ada of room 12')
  const external = { methods: ['external'], externalPage: `${elsewhere.url}enter?hotel=7`, externalKey: key }
  house = await portalHouse({ name: 'Guests', ...external, minutes: 30 })
})
afterAll(async () => {
  await elsewhere?.end()
  await house?.end()
  await run('ip', ['addr', 'del', `${host}/32`, 'dev', device])
})

test('a guest is led to the page elsewhere, and by its answer is in, with its name', async () => {
  const at = await question('c1')
  expect([`${at.origin}${at.pathname}`, at.searchParams.get('hotel')]).toEqual([`${elsewhere.url}enter`, '7'])
  expect(macIn(at)).toBe(macs.c1)
  expect(await isIn('c1')).toBe(false)
  const answer = await leads('c1', at.href)
  expect(await isIn('c1')).toBe(false)
  const shown = await leads('c1', answer)
  expect(shown).toContain('/portal/')
  expect(shown).not.toContain('answer=')
  await until(() => isIn('c1'))
  expect(await page('c1', shown)).toContain('You are online')
  expect(await rowOf(macs.c1)).toMatchObject({ state: 1, label: 'Ada of room 12' })
  expect(await isIn('c2')).toBe(false)
})

test('who is in finds the page by its plain name, and is not led elsewhere again', async () => {
  const named = ['--resolve', 'wifi.internal:80:192.0.2.1']
  expect((await lab.sh('c1', 'busybox nslookup wifi.internal 192.168.20.1')).stdout).toContain('192.0.2.1')
  const { stdout } = await curl('c1', '-L', ...named, 'http://wifi.internal/')
  expect(stdout).toContain('You are online')
  expect(stdout).not.toContain(host)
})

test('replayed: the same answer lets nobody in a second time', async () => {
  await remove(macs.c1)
  await until(async () => !(await isIn('c1')))
  const answer = await leads('c1', (await question('c1')).href)
  await leads('c1', answer)
  await until(() => isIn('c1'))
  await remove(macs.c1)
  await until(async () => !(await isIn('c1')))
  expect(await leads('c1', answer)).toBe('403')
  expect(await isIn('c1')).toBe(false)
})

test('forged: an answer whose signature is another, or a question whose is, lets nobody in', async () => {
  const at = await question('c2')
  const answer = new URL(await leads('c2', at.href))
  const sig = answer.searchParams.get('sig') ?? ''
  const forged = new URL(answer)
  forged.searchParams.set('sig', `${sig.slice(1)}${sig[0] === '0' ? '1' : '0'}`)
  expect(await page('c2', forged.href)).toContain('an answer that is not valid')
  expect(await isIn('c2')).toBe(false)
  at.searchParams.set('sig', sig)
  expect(await leads('c2', at.href)).toBe('403')
  // The right one counts still.
  await leads('c2', answer.href)
  await until(() => isIn('c2'))
})

test('another MAC address is another device: it is asked anew, and its old answer is no way in', async () => {
  const old = await leads('c1', (await question('c1')).href)
  await becomes('c1', newMac)
  const at = await until(() => question('c1'))
  expect(macIn(at)).toBe(newMac)
  await leads('c1', old)
  expect(await location('c1')).toBeDefined()
  await leads('c1', await leads('c1', at.href))
  await until(() => isIn('c1'))
  expect(await rowOf(newMac)).toMatchObject({ state: 1 })
  await becomes('c1', macs.c1)
})

// The external page of docs/admin/portal-page.md, run as it is printed there, against a real portal.
import { type ExternalPage, externalPage } from '../../_external-page'
import { freePort } from '../../appliance/_manager'
import { type Guest, type House, house } from './_house'

const key = 'k7wpe-4mxrt-9abcd-efghj'
const guest = (at: number): Guest => ({ mac: `02:00:00:00:e9:0${at}`, ip: `10.66.8.${at}` })
let one: House
let page: ExternalPage

beforeAll(async () => {
  page = await externalPage(key, '127.0.0.1', await freePort(), 'Zoë of room 12')
  one = await house({ name: 'Elsewhere', methods: ['external'], externalPage: page.url, externalKey: key })
})
afterAll(async () => {
  await page?.end()
  await one?.end()
})

/** Where the portal leads a guest. */
async function led(at: number): Promise<URL> {
  const { text } = await one.get(one.query(guest(at)))
  return new URL(/<a class="button" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '')
}
const ask = (url: URL | string) => fetch(url, { redirect: 'manual' })

test('it takes the portal’s question, and its answer lets the guest in', async () => {
  const asked = await led(1)
  expect(asked.href.startsWith(page.url)).toBe(true)
  const to = new URL((await ask(asked)).headers.get('location') ?? '')
  expect(to.pathname).toBe(`/portal/${one.lan}`)
  expect((await one.get(to.searchParams)).status).toBe(302)
  expect(one.gateway.in.get(guest(1).mac)?.bounds).toMatchObject({ mac: guest(1).mac, seconds: 7200 })
  expect(one.rows()).toEqual([expect.objectContaining({ method: 10, label: 'Zoë of room 12', state: 1 })])
})

test('it refuses what is forged or makes no sense, and goes on', async () => {
  const asked = await led(2)
  const signed = (sig: string) => {
    const url = new URL(asked)
    url.searchParams.set('sig', sig)
    return url
  }
  const sig = asked.searchParams.get('sig') ?? ''
  for (const wrong of ['', 'x', `${sig.slice(1)}${sig[0] === '0' ? '1' : '0'}`, 'ü'.repeat(64)])
    expect((await ask(signed(wrong))).status).toBe(403)
  expect((await ask(`${page.url}/`)).status).toBe(400)
  expect((await ask(asked)).status).toBe(302)
})

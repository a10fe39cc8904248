// The page that a house made itself, in a browser in which the console is signed in, on the same host: its own files show
// and its form is sent, and whatever its scripts try, they come to nothing of the console, of the browser's, or of another LAN.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { Header } from 'tar'
import { keyFileOf } from '@/db/generation'
import { signature } from '@/server/guests/portal/signed'
import { loadKey, secretsOf } from '@/server/kernel/secrets'
import { ask } from '../appliance/_manager'
import { type Console, openConsole } from './_setup'

const fonts = 'node_modules/@fontsource-variable/noto-sans/files'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

type Tried = Record<string, string>

/** Everything that a page can try, by its name; what came of it: `refused`, or what was got hold of. */
async function attempts(console: string, lan: string, other: string, file: string): Promise<Tried> {
  const found: Tried = {}
  const patience = 20_000
  const attempt = async (name: string, work: () => unknown) => {
    const slow = new Promise(done => setTimeout(done, patience, 'no answer'))
    try {
      found[name] = String(await Promise.race([work(), slow]))
    } catch {
      found[name] = 'refused'
    }
  }
  /** An element that loads something: whether it came. */
  const loads = (tag: string, values: Record<string, string>) => () =>
    new Promise((done, failed) => {
      const element = Object.assign(document.createElement(tag), values)
      element.onload = () => done('loaded')
      element.onerror = () => failed(new Error('refused'))
      document.body.append(element)
    })
  const asked = async (address: string) =>
    `read ${(await (await fetch(address, { credentials: 'include' })).text()).length}`
  const request = (address: string) => () =>
    new Promise((done, failed) => {
      const xhr = new XMLHttpRequest()
      xhr.withCredentials = true
      xhr.onload = () => done(`read ${xhr.responseText.length}`)
      xhr.onerror = () => failed(new Error('refused'))
      xhr.open('GET', address)
      xhr.send()
    })
  const opens = (socket: EventSource | WebSocket) =>
    new Promise((done, failed) => {
      socket.onopen = () => done('opened')
      socket.onerror = () => failed(new Error('refused'))
    })

  await attempt('cookies', () => `cookies ${document.cookie}`)
  await attempt('setting a cookie', () => {
    Reflect.set(document, 'cookie', 'own=1')
    return 'set'
  })
  await attempt('local storage', () => `storage ${localStorage.length}`)
  await attempt('session storage', () => `storage ${sessionStorage.length}`)
  await attempt('database', () => indexedDB.open('lanward') && 'opened')
  await attempt('caches', async () => (await caches.open('x')) && 'opened')
  await attempt('files', async () => (await navigator.storage.getDirectory()) && 'opened')
  await attempt('service worker', async () => (await navigator.serviceWorker.register('js/own.js')) && 'registered')
  await attempt('worker', () => new Worker('js/own.js') && 'started')
  await attempt('origin', () => (origin === 'null' ? Promise.reject(new Error()) : origin))
  await attempt('opener', () => (window.opener ? 'has one' : Promise.reject(new Error())))

  for (const [name, base] of [
    ['console', console],
    ['own port', location.href.split('/portal/')[0] ?? ''],
  ] as const) {
    await attempt(`fetch, ${name}`, () => asked(`${base}/app/init-info`))
    await attempt(`XMLHttpRequest, ${name}`, request(`${base}/app/init-info`))
    await attempt(`events, ${name}`, () => opens(new EventSource(`${base}/app/events`, { withCredentials: true })))
    await attempt(`socket, ${name}`, () => opens(new WebSocket(`${base.replace('http', 'ws')}/app/events`)))
    await attempt(`script, ${name}`, loads('script', { src: `${base}/app/front-desk` }))
    await attempt(`picture, ${name}`, loads('img', { src: `${base}/icon.svg` }))
    await attempt(`style, ${name}`, loads('link', { rel: 'stylesheet', href: `${base}/app/front-desk` }))
  }
  await attempt('beacon', () => {
    navigator.sendBeacon(`${console}/app/auth/logout`, 'x')
    return 'refused'
  })
  await attempt('fetch of another LAN’s page', () => asked(`/portal/${other}/page/secret.txt`))
  await attempt('fetch of its own page', () => asked(`/portal/${lan}/page/secret.txt`))
  await attempt('fetch of the sign-in itself', () => asked(`/portal/${lan}`))
  await attempt('window', () => window.open(`${console}/login`)?.location.href ?? Promise.reject(new Error()))
  await attempt('dialog', () => (confirm('Password?') ? 'confirmed' : Promise.reject(new Error())))
  for (const [name, up] of [
    ['three up', '../../../app/init-info'],
    ['encoded', '..%2f..%2ffile'],
    ['a dot', './.env'],
  ])
    await attempt(`out of its folder, ${name}`, loads('img', { src: `${up}` }))
  await attempt('pixels of a picture', async () => {
    const picture = new Image()
    picture.src = `/portal/${lan}/file/${file}`
    await picture.decode()
    const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    canvas.drawImage(picture, 0, 0)
    return canvas.getImageData(0, 0, 1, 1).data.join()
  })
  await attempt('frame', async () => {
    const frame = Object.assign(document.createElement('iframe'), { src: `${console}/login` })
    const loaded = new Promise(done => frame.addEventListener('load', done))
    document.body.append(frame)
    await loaded
    return frame.contentDocument?.body.innerHTML ?? Promise.reject(new Error())
  })
  await attempt('form', () => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: `${console}/app/auth/logout` })
    document.body.append(form)
    form.submit()
    return 'refused'
  })
  return found
}

const own = 'document.documentElement.dataset.own = "ran"'
const html = `<!doctype html><html lang="en"><head><title>Quay</title><link rel="stylesheet" href="css/own.css">
<script src="js/own.js"></script><script type="module" src="js/module.js"></script></head>
<body><h1>Quay</h1><p class="face">Welcome</p><img src="img/own.png" alt="The quay">
<form method="post" action="{{action}}">{{proof}}<button name="method" value="free">In</button></form>
<script>document.documentElement.dataset.inline = 'ran'</script></body></html>`
const files: Readonly<Record<string, string | Buffer>> = {
  'index.html': html,
  'secret.txt': 'secret',
  'js/own.js': own,
  'js/module.js': 'document.documentElement.dataset.module = "ran"',
  'css/own.css': '@font-face{font-family:Own;src:url("../font/own.woff2")}.face{font-family:Own;color:#123456}',
  'img/own.png': png,
  'font/own.woff2': readFileSync(`${fonts}/noto-sans-latin-wght-normal.woff2`),
}

/** As a house packs it. */
function archive(): Buffer {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const data = Buffer.from(content)
    const block = Buffer.alloc(512)
    new Header({ path, size: data.length, mode: 0o644, type: 'File' }).encode(block)
    return [block, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]))
}

let one: Console
const lans: string[] = []
let picture: string

async function upload(sort: string, bytes: Buffer): Promise<string> {
  const query = new URLSearchParams({ networkId: '1', sort, name: 'own' })
  const headers = {
    'content-type': 'application/octet-stream',
    'x-requested-with': 'XMLHttpRequest',
    cookie: one.client.cookieLine(),
  }
  const { body } = await ask(`${one.manager.http}/app/guests/files/upload?${query}`, {
    method: 'POST',
    headers,
    body: bytes,
  })
  return (JSON.parse(body) as { data: { id: string } }).data.id
}

beforeAll(async () => {
  one = await openConsole('Quay')
  const page = await upload('page', archive())
  picture = await upload('logo', png)
  const splash = (await one.client.must('settings/splash/save', { name: 'Own', page, logo: picture })).id
  for (const [name, vlan] of [
    ['Quay', 66],
    ['Pier', 67],
  ] as const) {
    const portal = (await one.client.must('settings/portal/save', { name, methods: ['free'], splash })).id
    const lan = { name, vlan, address: `10.${vlan}.0.1/24`, dhcp: false, portal, assign: { all: true } }
    lans.push(String((await one.client.must('settings/lan/save', lan)).id))
  }
})
afterAll(() => one?.end())

/** Where a gateway sends a guest of the first LAN. */
function sent(base: string): string {
  const [lan = ''] = lans
  const key = secretsOf(loadKey(keyFileOf(one.manager.data, `${one.manager.data}/gen-1`))).mac('1', 'portal')
  const who = { lan, mac: '02:00:5e:10:00:11', ip: '10.66.0.17', at: Math.floor(Date.now() / 1000) }
  const { mac, ip, at } = who
  const query = new URLSearchParams({ mac, ip, at: String(at), url: 'http://example.com/', sig: signature(key, who) })
  return `${base}/portal/${lan}?${query}`
}
const bases = () => ({ http: one.manager.portal, https: one.manager.portal.replace('http:', 'https:') })
const ofConsole = (address: string) => [one.manager.https, one.manager.http].includes(new URL(address).origin)

async function opened(base: string): Promise<Page> {
  const sheet = await one.browser.page({ width: 390, height: 844 })
  await sheet.goto(sent(base))
  await sheet.getByRole('heading', { name: 'Quay' }).waitFor()
  return sheet
}
const marks = (sheet: Page) => sheet.evaluate(() => ({ ...document.documentElement.dataset }))

test.each(['http', 'https'] as const)(
  'by %s its scripts, styles, pictures and fonts work, and its form is answered',
  async by => {
    const sheet = await opened(bases()[by])
    expect(await marks(sheet)).toEqual({ inline: 'ran', own: 'ran', module: 'ran' })
    expect(await sheet.evaluate(() => getComputedStyle(document.querySelector('.face') as Element).color)).toBe(
      'rgb(18, 52, 86)',
    )
    expect(await sheet.evaluate(async () => (await document.fonts.load('16px Own')).map(face => face.status))).toEqual([
      'loaded',
    ])
    expect(await sheet.evaluate(() => document.images[0]?.naturalWidth)).toBe(1)
    await sheet.getByRole('button', { name: 'In' }).click()
    await sheet.getByText('The network did not answer.', { exact: false }).waitFor()
    await sheet.close()
    // The answer's own status, and nothing else.
    expect(one.browser.faults().filter(fault => !/503|left the manager/.test(fault))).toEqual([])
  },
)

test.each(['http', 'https'] as const)(
  'by %s its scripts reach nothing of the console, of the browser’s storage, or of another LAN',
  async by => {
    // What there is to get: somebody is signed in, and the console keeps something.
    expect(await one.page.evaluate(async () => (await fetch('/app/init-info')).status)).toBe(200)
    await one.page.evaluate(() => localStorage.setItem('held', 'x'))
    const sheet = await opened(bases()[by])
    const answers: string[] = []
    sheet.on('response', response => void (ofConsole(response.url()) && answers.push(response.url())))
    const windows: Page[] = []
    sheet.on('popup', popup => void windows.push(popup))
    const [lan = '', other = ''] = lans
    const text = `(${attempts})(...${JSON.stringify([one.manager.https, lan, other, picture])})`
    // As a script of the page itself, which obeys its policy; what a tool evaluates does not.
    const tried = await sheet.evaluate<Tried, string>(
      source =>
        new Promise(done => {
          addEventListener('tried', event => done((event as CustomEvent<Tried>).detail))
          const script = document.createElement('script')
          script.textContent = `${source}.then(found => dispatchEvent(new CustomEvent('tried', {detail: found})))`
          document.body.append(script)
        }),
      text,
    )
    const through = Object.fromEntries(Object.entries(tried).filter(([, outcome]) => outcome !== 'refused'))
    expect(Object.keys(tried).length).toBeGreaterThan(30)
    expect(through).toEqual({})
    expect(answers).toEqual([])
    expect(windows).toEqual([])
    expect(new URL(sheet.url()).pathname).toBe(`/portal/${lan}`)
    await sheet.close()
    // Nobody was signed out, and what was kept is there.
    await one.page.reload()
    expect(new URL(one.page.url()).pathname).not.toBe('/login')
    expect(await one.page.evaluate(() => localStorage.getItem('held'))).toBe('x')
    one.browser.faults()
  },
)

// What a house puts on its portal: pictures, its own page, advertisements; sent, kept, and given to guests.
import { createReadStream, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { create } from 'tar'
import { portalFiles, portalPageFiles } from '@/db/schema'
import { codes } from '@/model/codes'
import { trimFiles } from '@/server/guests/media/store'
import { unpackPage } from '@/server/guests/media/unpack'
import { answerFile, answerPageFile } from '@/server/guests/portal/files'
import { network } from '../_people'
import { type Guest, type House, house } from './_house'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const own = { 'x-lanward-portal': '1' }
let one: House
let folder: string
let count = 0
function device(): Guest {
  count += 1
  return { mac: `02:00:00:18:00:${count.toString(16).padStart(2, '0')}`, ip: `10.66.18.${count}` }
}
async function upload(sort: string, bytes: Buffer, name = 'a file.bin') {
  const path = `guests/files/upload?${new URLSearchParams({ sort, name })}`
  const headers = { 'content-type': 'application/octet-stream', 'x-requested-with': 'XMLHttpRequest' }
  const response = await one.owner.raw(path, { method: 'POST', body: new Uint8Array(bytes), headers })
  return (await response.json()) as { retCode: number; data: { id: string; fields?: Record<string, string> } }
}
let made = 0
async function portalOf(splash: object): Promise<string> {
  made += 1
  const { data } = await one.owner.post('settings/splash/save', { name: `S${made}`, ...splash })
  const portal = await one.save('portal', {
    name: `P${made}`,
    methods: ['free', 'simplePassword'],
    password: 'harbour',
    splash: data.id,
  })
  return one.save('lan', {
    ...{
      name: `L${made}`,
      vlan: 90 + made,
      address: `10.${90 + made}.0.1/24`,
      dhcp: false,
      portal,
      assign: { all: true },
    },
  })
}
const fileOf = (lan: string, id: string, headers: Record<string, string> = {}) =>
  answerFile(lan, id, new Request(`http://192.0.2.10/portal/${lan}/file/${id}`, { headers: { ...own, ...headers } }))
const partOf = (lan: string, path: string) =>
  answerPageFile(lan, path, new Request(`http://192.0.2.10/portal/${lan}/page/${path}`, { headers: own }))

type Tree = Readonly<Record<string, string>>
/** A tar.gz of these files. */
async function archive(files: Tree, before?: (root: string) => void): Promise<Buffer> {
  const root = mkdtempSync(`${folder}/page-`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true })
    writeFileSync(`${root}/${path}`, text)
  }
  before?.(root)
  await create({ gzip: true, file: `${root}.tgz`, cwd: root, portable: true }, ['.'])
  const parts: Buffer[] = []
  for await (const part of createReadStream(`${root}.tgz`)) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
/** One entry as anybody can write it: its name is not what a file system would take. */
function entry(name: string, { type = '0', text = 'x', link = '' } = {}): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0, 100)
  head.write('0000644\0', 100)
  head.write('0000000\0', 108)
  head.write('0000000\0', 116)
  head.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write('00000000000\0', 136)
  head.write('        ', 148)
  head.write(type, 156)
  head.write(link, 157, 100)
  head.write('ustar\x0000', 257)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const data = Buffer.alloc(Math.ceil(text.length / 512) * 512)
  data.write(text)
  return Buffer.concat([head, data])
}
const packed = (...entries: Buffer[]) => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/lanward-page-`)
  one = await house()
})
afterAll(async () => {
  await one?.end()
  rmSync(folder, { recursive: true, force: true })
})

describe('pictures', () => {
  test('G18: what is no picture is refused at its field, whatever it is called', async () => {
    const { retCode, data } = await upload('logo', Buffer.from('<svg/>'), 'logo.png')
    expect([retCode, data.fields]).toEqual([10000, { file: 'mediaPicture' }])
  })

  test('logo and background stand in the page, and are given to guests of that LAN alone', async () => {
    const logo = (await upload('logo', png)).data.id
    const background = (await upload('background', png)).data.id
    const lan = await portalOf({ logo, background })
    const { text } = await one.get(one.query(device(), {}, lan), {}, lan)
    expect(text).toContain(`<img class="logo" src="/portal/${lan}/file/${logo}" alt="">`)
    expect(text).toContain(`url("/portal/${lan}/file/${background}")`)
    expect(Buffer.byteLength(text)).toBeLessThan(30_000)
    const reply = await fileOf(lan, logo)
    expect(Buffer.from(await reply.arrayBuffer()).equals(png)).toBe(true)
    expect(reply.headers.get('content-type')).toBe('image/png')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await fileOf(one.lan, logo)).status).toBe(404)
    const outside = new Request(`http://192.0.2.10/portal/${lan}/file/${logo}`)
    expect((await answerFile(lan, logo, outside)).status).toBe(404)
    const part = await fileOf(lan, logo, { range: 'bytes=0-3' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-3/${png.length}`])
    expect((await fileOf(lan, logo, { range: 'bytes=999-' })).status).toBe(416)
    const { data } = await one.owner.post('guests/page/preview', { splash: { name: 'x', logo } })
    expect(String(data.page)).toContain('<img class="logo" src="data:image/png;base64,')
  })

  test('what no splash page names goes after a month, what one names stays', async () => {
    const { runtime } = one.manager
    const kept = (await upload('logo', png)).data.id
    const idle = (await upload('logo', png)).data.id
    await portalOf({ logo: kept })
    trimFiles(runtime, Date.now() + 29 * 86_400_000)
    const ids = () =>
      runtime.db
        .select({ id: portalFiles.id })
        .from(portalFiles)
        .all()
        .map(row => row.id)
    expect(ids()).toContain(idle)
    trimFiles(runtime, Date.now() + 31 * 86_400_000)
    expect(ids()).toContain(kept)
    expect(ids()).not.toContain(idle)
  })

  test('the month counts from when no splash page names it any more, and anew each time', async () => {
    const { runtime } = one.manager
    const logo = (await upload('logo', png)).data.id
    const days = (n: number) => Date.now() + n * 86_400_000
    const isThere = () =>
      runtime.db.select({ id: portalFiles.id }).from(portalFiles).where(eq(portalFiles.id, logo)).get() !== undefined
    const call = async (verb: string, input: object) => (await one.owner.post(`settings/splash/${verb}`, input)).data
    const splash = await call('save', { name: 'Old', logo })
    trimFiles(runtime, days(100))
    await call('delete', { ids: [splash.id] })
    trimFiles(runtime, days(101))
    trimFiles(runtime, days(130))
    expect(isThere()).toBe(true)
    // The deletion is taken back, and done again.
    const again = await call('save', { name: 'Old', logo })
    trimFiles(runtime, days(132))
    await call('delete', { ids: [again.id] })
    trimFiles(runtime, days(133))
    trimFiles(runtime, days(162))
    expect(isThere()).toBe(true)
    trimFiles(runtime, days(164))
    expect(isThere()).toBe(false)
  })
})

/** Of each sort: how many bytes it may have, one that is right, and one of another format. */
const sorts = {
  logo: { bytes: 1_048_576, right: png, wrong: Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), problem: 'mediaPicture' },
  background: { bytes: 3_145_728, right: png, wrong: Buffer.from('<svg/>'), problem: 'mediaPicture' },
  adImage: { bytes: 3_145_728, right: png, wrong: Buffer.from('RIFF....WEBPVP8 '), problem: 'mediaPicture' },
  adVideo: { bytes: 5_242_880, right: undefined, wrong: png, problem: 'mediaVideo' },
  page: {
    bytes: 5_242_880,
    right: packed(entry('index.html')),
    wrong: Buffer.from('PK\u0003\u0004'),
    problem: 'mediaArchive',
  },
} as const

describe.each(Object.entries(sorts))('G18: what is sent as %s', (sort, { bytes, right, wrong, problem }) => {
  const keptFiles = () => one.manager.runtime.db.select({ id: portalFiles.id }).from(portalFiles).all()
  const grown = (size: number) => Buffer.concat([right ?? wrong, Buffer.alloc(size)]).subarray(0, size)

  test.each([
    ['nothing', Buffer.alloc(0), 'mediaEmpty'],
    ['another format', wrong, problem],
    ['a byte too much', grown(bytes + 1), 'mediaTooLarge'],
    ['far too much', grown(8 * 1024 * 1024), 'mediaTooLarge'],
  ])('%s is refused at its field, and nothing is kept', async (_, sent, expected) => {
    const before = keptFiles()
    const { retCode, data } = await upload(sort, sent, 'right.png')
    expect([retCode, data.fields]).toEqual([codes.invalidInput, { file: expected }])
    expect(keptFiles()).toEqual(before)
  })

  if (right)
    test('the largest is kept, with a name of 128 characters', async () => {
      const { retCode, data } = await upload(sort, grown(bytes), 'n'.repeat(128))
      expect([retCode, data]).toEqual([0, expect.objectContaining({ sort, bytes, name: 'n'.repeat(128) })])
    })

  test.each([
    ['without a name', ''],
    ['of 129 characters', 'n'.repeat(129)],
    ['of two lines', 'a\nb'],
  ])('a name %s is refused at its field', async (_, name) => {
    const { data } = await upload(sort, right ?? wrong, name)
    expect(Object.keys(data.fields ?? {})).toEqual(['name'])
  })
})

describe('a splash page names files', () => {
  const save = async (splash: object) => {
    made += 1
    return (await one.owner.post('settings/splash/save', { name: `S${made}`, ...splash })).data
  }
  const none = '00000000-0000-4000-8000-000000000001'

  test('G18: of the sort that the field is for, and that are there; else it is refused at the field', async () => {
    const logo = (await upload('logo', png)).data.id
    const page = (await upload('page', packed(entry('index.html')))).data.id
    const ads = (own: object) => ({ ads: 'images', ...own })
    expect((await save({ logo: page })).fields).toEqual({ logo: 'notFound' })
    expect((await save({ background: logo })).fields).toEqual({ background: 'notFound' })
    expect((await save({ page: logo })).fields).toEqual({ page: 'notFound' })
    expect((await save({ logo: none })).fields).toEqual({ logo: 'notFound' })
    const image = (await upload('adImage', png)).data.id
    expect((await save(ads({ adImages: [image, logo] }))).fields).toEqual({ 'adImages.1': 'notFound' })
    expect((await save({ ads: 'video', adVideo: page })).fields).toEqual({ adVideo: 'notFound' })
    const { fields } = await save({ logo, page, ...ads({ adImages: [image] }) })
    expect(fields).toBeUndefined()
  })

  test('of another network only what a splash page shows already, as in a copy; what was named stays named', async () => {
    const far = network(one.manager, 'Far')
    const logo = (await upload('logo', png)).data.id
    const there = { networkId: far, name: 'There', logo }
    expect((await one.owner.post('settings/splash/save', there)).data.fields).toEqual({ logo: 'notFound' })
    const { id } = await save({ logo })
    const copied = await one.owner.post('settings/splash/save', there)
    expect(copied.retCode).toBe(0)
    one.manager.runtime.db.delete(portalFiles).where(eq(portalFiles.id, logo)).run()
    const again = { id, revision: 1, name: 'Again', logo }
    expect((await one.owner.post('settings/splash/save', again)).retCode).toBe(0)
    expect((await save({ logo })).fields).toEqual({ logo: 'notFound' })
  })

  test('a network from a file of another manager comes whole, though its files stayed there', async () => {
    const logo = (await upload('logo', png)).data.id
    await portalOf({ name: 'Kept behind', logo })
    const passphrase = 'open sesame'
    const { file } = (await one.owner.post('networks/export', { id: 1, passphrase })).data
    one.manager.runtime.db.delete(portalFiles).where(eq(portalFiles.id, logo)).run()
    const { data } = await one.owner.post('networks/import', { file, networkName: 'Elsewhere', passphrase })
    expect(data).toMatchObject({ networkId: expect.any(Number), leftOut: [] })
  })
})

describe('an own page', () => {
  const html =
    '<!doctype html><html><head><title>Quay</title></head><body><form method="post" action="{{action}}">{{proof}}<button name="method" value="free">In</button></form><p>{{house}}</p></body></html>'

  test('is what guests see first, in a sandbox without an origin, and its form lets in', async () => {
    const page = (await upload('page', await archive({ 'index.html': html, 'css/house.css': 'b{}' }))).data.id
    const lan = await portalOf({ page })
    const guest = device()
    const shown = await one.get(one.query(guest, {}, lan), {}, lan)
    const policy = shown.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^sandbox allow-forms allow-scripts;/)
    expect(policy).not.toContain('allow-same-origin')
    expect(policy).toContain("connect-src 'none'")
    expect(shown.text).toContain(`<head><base href="/portal/${lan}/page/">`)
    expect(shown.text).toContain(`action="/portal/${lan}"`)
    expect(shown.text).toContain('<p>Harbour House</p>')
    const form = Object.fromEntries(
      [...shown.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    await one.post({ ...form, method: 'free' }, {}, lan)
    expect(one.gateway.in.has(guest.mac) || one.other.in.has(guest.mac)).toBe(true)
    const css = await partOf(lan, 'css/house.css')
    expect([css.status, css.headers.get('content-type'), await css.text()]).toEqual([
      200,
      'text/css; charset=utf-8',
      'b{}',
    ])
    expect(css.headers.get('content-security-policy')).toMatch(/^sandbox /)
    expect((await partOf(lan, '../index.html')).status).toBe(404)
    expect((await partOf(one.lan, 'index.html')).status).toBe(404)
  })

  test('a wrong entry is told on the product’s own page', async () => {
    const page = (await upload('page', await archive({ 'index.html': html }))).data.id
    const lan = await portalOf({ page })
    const form = { ...Object.fromEntries(one.query(device(), {}, lan)), method: 'simplePassword', password: 'x' }
    expect((await one.post(form, {}, lan)).text).toContain('This password is wrong.')
  })

  test('in a folder of its own it is as good; what a Mac adds is left out', async () => {
    const found = await unpackPage(
      await archive({ 'quay/index.html': html, 'quay/._index.html': 'x', '.DS_Store': 'x' }),
    )
    expect('problem' in found ? found : found.map(file => file.path)).toEqual(['index.html'])
  })

  test.each([
    [
      'a link',
      packed(entry('index.html'), entry('a.html', { type: '2', text: '', link: '/etc/passwd' })),
      'pageUnsafe',
    ],
    [
      'a hard link',
      packed(entry('index.html'), entry('a.html', { type: '1', text: '', link: 'index.html' })),
      'pageUnsafe',
    ],
    ['a device', packed(entry('index.html'), entry('a.html', { type: '3', text: '' })), 'pageUnsafe'],
    ['a way up', packed(entry('index.html'), entry('../a.html')), 'pageUnsafe'],
    ['a way up within', packed(entry('index.html'), entry('a/../../b.html')), 'pageUnsafe'],
    ['an absolute path', packed(entry('index.html'), entry('/etc/a.html')), 'pageUnsafe'],
    ['a backslash', packed(entry('index.html'), entry('..\\a.html')), 'pageUnsafe'],
    ['a name twice', packed(entry('index.html'), entry('index.html')), 'pageUnsafe'],
    ['a hidden file', packed(entry('index.html'), entry('.htaccess')), 'pageUnsafe'],
    ['a program', packed(entry('index.html'), entry('a.php')), 'pageType'],
    ['no index', packed(entry('start.html')), 'pageIndex'],
    [
      'too many',
      packed(entry('index.html'), ...Array.from({ length: 200 }, (_, at) => entry(`a${at}.html`))),
      'pageMany',
    ],
    ['a bomb', packed(entry('index.html', { text: '0'.repeat(21 * 1024 * 1024) })), 'pageLarge'],
    ['a bomb within a bomb', gzipSync(packed(entry('index.html'))), 'mediaArchive'],
    ['half an archive', packed(entry('index.html')).subarray(0, 60), 'mediaArchive'],
    ['no archive', gzipSync(Buffer.from('hello')), 'mediaArchive'],
  ])('an archive with %s is refused, and nothing of it is kept', async (_, bytes, problem) => {
    const before = one.manager.runtime.db.select().from(portalPageFiles).all().length
    const { data } = await upload('page', bytes)
    expect(data.fields).toEqual({ file: problem })
    expect(one.manager.runtime.db.select().from(portalPageFiles).all()).toHaveLength(before)
  })

  test('what stands behind the end of an archive is not read', async () => {
    const bytes = gzipSync(Buffer.concat([entry('index.html'), Buffer.alloc(30 * 1024 * 1024)]))
    const found = await unpackPage(bytes)
    expect('problem' in found ? found : found.map(file => file.path)).toEqual(['index.html'])
  })

  test('a link that tar itself made is refused', async () => {
    const bytes = await archive({ 'index.html': html }, root => symlinkSync('/etc/passwd', `${root}/a.txt`))
    expect((await upload('page', bytes)).data.fields).toEqual({ file: 'pageUnsafe' })
  })
})

describe('advertisements', () => {
  const counts = async (name: string) => {
    const { data } = await one.owner.post('guests/ads/list', {})
    return (data.result as { name: string }[]).find(row => row.name === name)
  }
  const image = async () => (await upload('adImage', png)).data.id

  test('images change each 3 s, a carousel moves on each 5 s, without a script; shown is counted once a visit', async () => {
    const adImages = [await image(), await image(), await image()]
    const lan = await portalOf({ name: 'Change', ads: 'images', adImages })
    const guest = device()
    const { text } = await one.get(one.query(guest, {}, lan), {}, lan)
    for (const id of adImages) expect(text).toContain(`<img src="/portal/${lan}/file/${id}" alt="">`)
    expect(text).toContain('animation:ad 9s infinite')
    expect(text).toContain('nth-child(2){animation-delay:3s}')
    expect(text).not.toContain('<script')
    await one.get(one.query(guest, {}, lan), {}, lan)
    expect(await counts('Change')).toMatchObject({ shown: 1, watched: null })
    const other = await portalOf({ name: 'Carousel', ads: 'images', adImages, adShow: 'carousel' })
    expect((await one.get(one.query(device(), {}, other), {}, other)).text).toContain('animation:ad 15s infinite')
  })

  test('G7: a forced watch comes before the ways in, whatever is sent meanwhile, and watched is counted at its end', async () => {
    const lan = await portalOf({ name: 'Forced', ads: 'images', adImages: [await image()], watchSeconds: 30 })
    const guest = device()
    const clock = jest.spyOn(Date, 'now')
    const began = Date.now()
    clock.mockReturnValue(began)
    const query = one.query(guest, {}, lan)
    const first = await one.get(query, {}, lan)
    expect(first.text).toContain('<meta http-equiv="refresh" content="30;url=/portal/')
    expect(first.text).not.toContain('name="method"')
    clock.mockReturnValue(began + 29_000)
    const early = await one.post({ ...Object.fromEntries(query), method: 'free' }, {}, lan)
    expect(early.text).toContain('content="1;url=')
    expect(one.gateway.in.has(guest.mac) || one.other.in.has(guest.mac)).toBe(false)
    expect(await counts('Forced')).toMatchObject({ shown: 1, watched: 0 })
    clock.mockReturnValue(began + 30_000)
    expect((await one.get(query, {}, lan)).text).toContain('value="free"')
    await one.post({ ...Object.fromEntries(query), method: 'free' }, {}, lan)
    clock.mockRestore()
    expect(one.gateway.in.has(guest.mac) || one.other.in.has(guest.mac)).toBe(true)
    expect(await counts('Forced')).toMatchObject({ shown: 1, watched: 1, watchSeconds: 30 })
  })

  test('are changed by their own call, which leaves the rest of the page as it is', async () => {
    await portalOf({ name: 'Own call', colour: '#112233', ads: 'images', adImages: [await image()] })
    const { id } = (await counts('Own call')) as unknown as { id: string }
    expect((await one.owner.post('guests/ads/save', { id, revision: 1, ads: 'video' })).data.fields).toEqual({
      adVideo: 'mediaMissing',
    })
    expect((await one.owner.post('guests/ads/save', { id, revision: 1, ads: 'off' })).retCode).toBe(0)
    const { data } = await one.owner.post('guests/page/get', { id })
    expect(data).toMatchObject({ colour: '#112233', ads: 'off' })
  })
})

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { openReader } from '@/server/worker/intake/search'
import { type Keeping, type Line, lineTable, openStore } from '@/server/worker/intake/store'
import { matchOf } from '@/server/worker/intake/word-index'
import { hostileTexts } from '../../../soak/hostile-input'
import { temporaryFolder } from '../../_fleet'

const dayMs = 86_400_000
const start = Date.UTC(2026, 10, 20, 12)
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const line = (text: string, more: Partial<Line> = {}): Line => ({
  ...{ at: start, device: 1, network: 1, way: 'udp', tag: 'app[1]', text },
  ...more,
})
const open = (keeping: Partial<Keeping> = {}) =>
  openStore(folder.path, () => ({ days: 31, megabytes: 1000, ...keeping }), lineTable)
const searched = (query: object) => {
  const reader = openReader(folder.path)
  const { lines } = reader.find({ network: 1, limit: 50, ...query })
  reader.close()
  return lines.map(one => one.text)
}

test('found by words, phrases and beginnings, newest first; what a person types is never a query of its own', () => {
  const store = open()
  store.write([
    line('STA 02:aa:bb associated'),
    line('port 17 down "NEAR" foo-bar', { at: start + 1 }),
    line('Straße gesperrt', { at: start + 2, tag: 'kernel' }),
  ])
  expect(searched({ text: '02:aa:bb' })).toEqual(['STA 02:aa:bb associated'])
  expect(searched({ text: 'assoc' })).toEqual([])
  expect(searched({ text: 'assoc*' })).toEqual(['STA 02:aa:bb associated'])
  expect(searched({ text: '"17 down"' })).toHaveLength(1)
  expect(searched({ text: '"down 17"' })).toEqual([])
  expect(searched({ text: 'down 17' })).toHaveLength(1)
  expect(searched({ text: 'KERNEL straße' })).toEqual(['Straße gesperrt'])
  for (const text of ['foo-bar', 'NEAR', 'tag:app', '"', '"" *', 'a AND (', "x' OR 1", 'app -down', '{', '^port'])
    expect(Array.isArray(searched({ text }))).toBe(true)
  expect(searched({ text: '***' })).toEqual([])
  expect(matchOf('  ')).toBeUndefined()
  expect(searched({})).toEqual(['Straße gesperrt', 'port 17 down "NEAR" foo-bar', 'STA 02:aa:bb associated'])
  store.close()
})

test('whatever is searched for, alone or beside anything else, is answered', () => {
  const store = open()
  store.write([line('Accepted password for root')])
  const reader = openReader(folder.path)
  const odd = ['"a\u0000', '"a"*', 'a*b*', '{a b}:c', '+', '-a', '\u0301a', '\ue000*', 'NOT', 'tag:x']
  const texts = [...hostileTexts.map(text => text.slice(0, 200)), ...odd]
  for (const first of texts)
    for (const second of ['', ...texts]) reader.find({ network: 1, limit: 1, text: `${first} ${second}` })
  reader.close()
  expect(searched({ text: 'pass\u0000word' })).toEqual([])
  expect(searched({ text: 'password\u0000root' })).toEqual(['Accepted password for root'])
  store.close()
})

test('by device, network, severity and time; a line that tells no severity is none of them', () => {
  const store = open()
  store.write([
    line('one', { pri: 3 }),
    line('two', { pri: 8 * 23 + 6, device: 2, at: start + 10_000 }),
    line('none', { at: start + 20_000 }),
    line('other', { network: 2, device: 3, pri: 0 }),
  ])
  expect(searched({ device: 2 })).toEqual(['two'])
  expect(searched({ severity: 3 })).toEqual(['one'])
  expect(searched({ severity: 7 })).toEqual(['two', 'one'])
  expect(searched({ from: start + 10_000 })).toEqual(['none', 'two'])
  expect(searched({ to: start + 9999 })).toEqual(['one'])
  expect(searched({ network: 2 })).toEqual(['other'])
  expect(searched({ network: 2, device: 1 })).toEqual([])
  store.close()
})

test('a file that is only being made disturbs no search, and is read once it is made', () => {
  const store = open()
  store.write([line('there')])
  const reader = openReader(folder.path)
  const path = `${folder.path}/${start + 60_000}.sqlite`
  writeFileSync(path, '')
  const texts = () => reader.find({ network: 1, limit: 5 }).lines.map(one => one.text)
  expect(texts()).toEqual(['there'])
  rmSync(path)
  store.write([line('tomorrow', { at: start + dayMs })])
  expect(texts()).toEqual(['tomorrow', 'there'])
  reader.close()
  store.close()
})

test('page by page over days and files each line comes once, whatever the page', () => {
  const store = open()
  const texts = Array.from({ length: 95 }, (_, at) => `line ${at}`)
  for (const [at, text] of texts.entries()) store.write([line(text, { at: start + at * 7_200_000 })])
  expect(readdirSync(folder.path).filter(name => name.endsWith('.sqlite')).length).toBeGreaterThan(7)
  const reader = openReader(folder.path)
  for (const text of [undefined, 'line']) {
    const seen: string[] = []
    for (let before: number | undefined; ; ) {
      const page = reader.find({ network: 1, limit: 10, ...(text && { text }), ...(before && { before }) })
      seen.push(...page.lines.map(one => one.text))
      if (page.next === undefined) break
      before = page.next
    }
    expect(seen).toEqual(texts.toReversed())
  }
  reader.close()
  store.close()
})

test('the newest are found first, whether few or many have the words, and beside what else is asked', () => {
  const store = open()
  const each = 450
  store.write(
    Array.from({ length: each }, (_, at) =>
      line(`port ${at} ${at % 150 === 7 ? 'seldom' : 'often'}`, {
        at: start + at * 1000,
        device: 1 + (at % 2),
        pri: at % 8,
      }),
    ),
  )
  expect(searched({ text: 'seldom port' })).toEqual(['port 307 seldom', 'port 157 seldom', 'port 7 seldom'])
  expect(searched({ text: 'seldom', device: 2, severity: 3 })).toEqual(['port 307 seldom'])
  const often = searched({ text: 'often' })
  expect([often.length, often[0], often[49]]).toEqual([50, 'port 449 often', 'port 400 often'])
  expect(searched({ text: 'often', limit: 500 })).toHaveLength(each - 3)
  expect(searched({ text: 'often', device: 2, limit: 2 })).toEqual(['port 449 often', 'port 447 often'])
  store.close()
})

test('a search that takes too long says how far it came, and goes on from there', () => {
  const store = open()
  store.write(
    Array.from({ length: 48 }, (_, at) => line(`hour ${at}`, { at: start + at * 3_600_000, pri: at ? 6 : 0 })),
  )
  store.close()
  let clock = 0
  const slow = openReader(folder.path, () => (clock += 400))
  const first = slow.find({ network: 1, limit: 5, severity: 0 })
  expect(first.lines).toEqual([])
  expect(first.searchedTo).toBeGreaterThan(start)
  let page = first
  while (page.next !== undefined && !page.lines.length)
    page = slow.find({ network: 1, limit: 5, severity: 0, before: page.next })
  expect(page.lines.map(one => one.text)).toEqual(['hour 0'])
  slow.close()
})

test('where little is found a search goes back by longer and longer stretches, and leaves nothing out', () => {
  const store = open()
  const hours = 20 * 24
  store.write(
    Array.from({ length: hours }, (_, at) => line(at % 100 ? 'often' : `seldom ${at}`, { at: start + at * 3_600_000 })),
  )
  store.close()
  let looks = 0
  const reader = openReader(folder.path, () => looks++ / 1000)
  expect(reader.find({ network: 1, limit: 50, text: 'nowhere' })).toEqual({ lines: [] })
  // Each question looks at the clock: one for each hour would be many times as many.
  expect(looks).toBeLessThan(hours / 3)
  const found = reader.find({ network: 1, limit: 50, text: 'seldom' }).lines.map(one => one.text)
  expect(found).toEqual(['seldom 400', 'seldom 300', 'seldom 200', 'seldom 100', 'seldom 0'])
  reader.close()
})

test('what is too old goes by whole days, and nothing younger', () => {
  const store = open()
  for (const day of [0, 1, 2, 3]) store.write([line(`day ${day}`, { at: start + day * dayMs })])
  const keeping = { days: 2, megabytes: 1000 }
  store.prune(keeping, start + 3 * dayMs)
  expect(searched({})).toEqual(['day 3', 'day 2', 'day 1', 'day 0'])
  // All of day 0 came before day 1 began.
  store.prune(keeping, start + 3 * dayMs + 1)
  expect(searched({})).toEqual(['day 3', 'day 2', 'day 1'])
  store.close()
})

test('what is too much goes, the oldest first: a flood takes no more room than may be', () => {
  const keeping = { days: 31, megabytes: 12 }
  const store = open(keeping)
  for (let round = 0; round < 40; round++) {
    store.write(
      Array.from({ length: 2000 }, (_, at) => line(`${round} ${at} ${'flood '.repeat(40)}`, { at: start + round })),
    )
    store.prune(keeping, start + round)
  }
  expect(store.size().bytes).toBeLessThan(18 * 1024 * 1024)
  expect(store.size().oldest).toBeGreaterThan(start)
  expect(searched({ limit: 1 })[0]).toMatch(/^39 1999 /)
  store.close()
})

test('a burst in one millisecond, and a clock that was set back, lose no line', () => {
  const store = open()
  store.write(Array.from({ length: 5000 }, (_, at) => line(`burst ${at}`)))
  store.write([line('earlier', { at: start - dayMs })])
  store.write([line('earlier still', { at: start - dayMs - 1000 })])
  expect(searched({ limit: 6000 })).toHaveLength(5002)
  store.close()
})

test('what a killed writer left is read, and the next one writes a file of its own', () => {
  const killed = open()
  killed.write([line('before the kill')])
  const names = readdirSync(folder.path)
  const next = open()
  next.write([line('after', { at: start + 5 })])
  expect(searched({})).toEqual(['after', 'before the kill'])
  expect(readdirSync(folder.path).filter(name => name.endsWith('.sqlite'))).toHaveLength(
    names.filter(name => name.endsWith('.sqlite')).length + 1,
  )
  next.close()
  killed.close()
})

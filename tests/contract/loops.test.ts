import { filesUnder, importsOf } from './_tree'

const rooms = ['app', 'model']
const code = /\.tsx?$/

/** What each file imports, types included, by its path without an ending. */
const imported = new Map(
  rooms
    .flatMap(room => filesUnder(room, code))
    .map(path => [path.replace(code, ''), importsOf(path).map(({ what }) => what.replace(code, ''))]),
)

// Forms that name what they hold after the page that draws them.
const named = /(mail|schedule|provider|directory)-form$/

/** Groups of files of which each reaches each (Tarjan). */
function loopsOf(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visit = (one: string): number => {
    const at = order.size
    order.set(one, at)
    open.push(one)
    let low = at
    for (const next of arrows.get(one) ?? []) {
      if (!arrows.has(next)) continue
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? at)
    }
    lowest.set(one, low)
    if (low < at) return low
    const loop = open.splice(open.indexOf(one))
    if (loop.length > 1 || arrows.get(one)?.includes(one)) found.push(loop)
    return low
  }
  for (const one of arrows.keys()) if (!order.has(one)) visit(one)
  return found
}

test('no files import each other in a loop, types included', () => {
  expect(imported.size).toBeGreaterThan(400)
  const wrong = loopsOf(imported).filter(loop => !loop.some(file => named.test(file)))
  expect(wrong.map(loop => loop.join(' ↔ '))).toEqual([])
})

test('a loop of three is seen, and one file that imports itself; a diamond is none', () => {
  const arrows = (text: string) => new Map(text.split(' ').map(one => [one[0] ?? '', [...one.slice(1)]]))
  expect(loopsOf(arrows('ab bc ca dab'))).toEqual([['a', 'b', 'c']])
  expect(loopsOf(arrows('aa'))).toEqual([['a']])
  expect(loopsOf(arrows('abc bd cd d'))).toEqual([])
})

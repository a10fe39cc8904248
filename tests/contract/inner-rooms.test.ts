import { innerRooms, systems } from './_inner-rooms'
import { filesUnder, type Import, importsIn, importsOf } from './_tree'

const code = /\.tsx?$/
const told = (list: readonly Import[]) => list.map(({ from, what }) => `${from} → ${what}`)

/** The place of a path in the list of a room, and the entry that gives it; undefined where none does. */
function placeOf(base: string, path: string): { height: number; entry: string } | undefined {
  const inside = path.slice(base.length + 1).replace(code, '')
  const entries = Object.values(innerRooms[base] ?? {}).flatMap((held, height) =>
    held.map(entry => ({ height, entry })),
  )
  const named = entries.filter(({ entry }) => inside === entry || inside.startsWith(`${entry}/`))
  const [best] = named.toSorted((a, b) => b.entry.length - a.entry.length)
  return best ?? (inside.includes('/') ? undefined : entries.find(({ entry }) => entry === '.'))
}

const inside = (base: string, imports: readonly Import[]) =>
  imports.filter(({ from, what }) => [from, what].every(path => path.startsWith(`${base}/`)))
const upward = (base: string, imports: readonly Import[]) =>
  inside(base, imports).filter(({ from, what }) => {
    const [own, other] = [placeOf(base, from), placeOf(base, what)]
    return !own || !other || other.height > own.height
  })

const systemOf = (path: string) => systems.find(name => path.startsWith(`server/drivers/${name}/`))
const strange = (imports: readonly Import[]) =>
  imports.filter(({ from, what }) => {
    const [own, other] = [systemOf(from), systemOf(what)]
    return own !== undefined && other !== undefined && own !== other
  })

describe.each(Object.keys(innerRooms))('inside %s', base => {
  const files = filesUnder(base, code)

  test('each file stands in a room, and each name of the list is there', () => {
    expect(files.filter(path => !placeOf(base, path))).toEqual([])
    const used = new Set(files.map(path => placeOf(base, path)?.entry))
    const listed = Object.values(innerRooms[base] ?? {}).flat()
    expect(listed.filter(entry => !used.has(entry))).toEqual([])
    expect(new Set(listed).size).toBe(listed.length)
  })

  test('no room imports one that stands after it', () => {
    const imports = files.flatMap(importsOf)
    expect(inside(base, imports).length).toBeGreaterThan(100)
    expect(told(upward(base, imports))).toEqual([])
  })
})

test('an import that goes up is found, of a type and of a file in no room, too', () => {
  const made = [
    ...importsIn('server/drivers/unix/made-up.ts', "import type { One } from '../openwrt/wifi'"),
    ...importsIn('server/drivers/openwrt/lan.ts', "import { One } from './wifi'"),
    ...importsIn('server/drivers/openwrt/lan.ts', "import { One } from './made-up'"),
    ...importsIn('server/drivers/made/up.ts', "import { One } from '../driver'"),
  ]
  expect(upward('server/drivers', made)).toEqual(made)
})

test('no driver knows another', () => {
  const made = importsIn('server/drivers/openwrt/made-up.ts', "import type { One } from '../linux/wifi'")
  expect(strange(made)).toEqual(made)
  expect(told(strange(filesUnder('server/drivers', code).flatMap(importsOf)))).toEqual([])
})

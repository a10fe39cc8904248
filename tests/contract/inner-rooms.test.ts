import { innerRooms, systems } from './_inner-rooms'
import { filesUnder, type Import, importsIn, importsOf } from './_tree'

const code = /\.tsx?$/
const told = (list: readonly Import[]) => list.map(({ from, what }) => `${from} → ${what}`)

/** The room of a path by the longest name that fits, as its place in the list; -1 where none does. */
function heightOf(base: string, path: string): number {
  const folder =
    path
      .slice(base.length + 1)
      .split('/')
      .slice(0, -1)
      .join('/') || '.'
  const fit = (innerRooms[base] ?? []).filter(room => folder === room || folder.startsWith(`${room}/`))
  const [room = ''] = fit.toSorted((one, other) => other.length - one.length)
  return (innerRooms[base] ?? []).indexOf(room)
}

const inside = (base: string, imports: readonly Import[]) =>
  imports.filter(({ from, what }) => [from, what].every(path => path.startsWith(`${base}/`)))
const upward = (base: string, imports: readonly Import[]) =>
  inside(base, imports).filter(({ from, what }) => {
    const [own, other] = [heightOf(base, from), heightOf(base, what)]
    return own < 0 || other < 0 || other > own
  })

const systemOf = (path: string) => systems.find(name => path.startsWith(`server/drivers/${name}/`))
const strange = (imports: readonly Import[]) =>
  imports.filter(({ from, what }) => {
    const [own, other] = [systemOf(from), systemOf(what)]
    return own !== undefined && other !== undefined && own !== other
  })

describe.each(Object.keys(innerRooms))('inside %s', base => {
  const files = filesUnder(base, code)

  test('each folder is a room or lies in one, and each room of the list is there', () => {
    expect(files.filter(path => heightOf(base, path) < 0)).toEqual([])
    const used = new Set(files.map(path => heightOf(base, path)))
    expect(innerRooms[base]?.filter((_room, height) => !used.has(height))).toEqual([])
  })

  test('no room imports one that stands after it', () => {
    const imports = files.flatMap(importsOf)
    expect(inside(base, imports).length).toBeGreaterThan(100)
    expect(told(upward(base, imports))).toEqual([])
  })
})

test('an import that goes up is found, of a type and of a folder that is no room, too', () => {
  const made = [
    ...importsIn('server/drivers/unix/made-up.ts', "import type { One } from '../openwrt/uci/uci'"),
    ...importsIn('server/drivers/openwrt/lan/lan.ts', "import { One } from '../wifi/wifi'"),
    ...importsIn('server/drivers/openwrt/lan/lan.ts', "import { One } from '../driver'"),
    ...importsIn('server/drivers/driver.ts', "import { One } from './unix/documents'"),
    ...importsIn('server/drivers/made/up.ts', "import { One } from '../driver'"),
  ]
  expect(upward('server/drivers', made)).toEqual(made)
})

test('no driver knows another', () => {
  const made = importsIn('server/drivers/openwrt/made-up.ts', "import type { One } from '../linux/wifi'")
  expect(strange(made)).toEqual(made)
  expect(told(strange(filesUnder('server/drivers', code).flatMap(importsOf)))).toEqual([])
})

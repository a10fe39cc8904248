import { nodeName, type Wiring, type WiringNode } from './wiring'

// Where nodes stand: a tree from the gateway down. What has nothing below it stands in rows under its parent, so that a
// switch with forty access points takes two columns and not forty. The same wiring always gives the same picture. Pure.

/** `rail`: where its link runs down, since others stand between it and what it hangs on. */
export type Place = { x: number; y: number; width: number; height: number; row: boolean; rail?: number }
export type Bounds = { x: number; y: number; width: number; height: number }
/** `auto`: where nodes stand that nobody moved; the same object for the same wiring. */
export type Layout = { places: ReadonlyMap<string, Place>; bounds: Bounds; auto: ReadonlyMap<string, Place> }
export type Pins = Readonly<Record<string, { x: number; y: number }>>

const box = { width: 176, height: 46 }
const line = { width: 170, height: 28, step: 34, indent: 18, most: 16 }
const gap = { x: 28, y: 58 }

/** `shelves`: what is below it, in lines one below the other; of each line the first place may be its rows. */
type Tree = { id: string; rows: string[]; shelves: Item[][]; width: number; height: number }
type Item = { tree: Tree | undefined; width: number; height: number }

const byPort = new Intl.Collator('en', { numeric: true }).compare

/** What hangs below each node, in the order of the ports above, then of names. */
function childrenOf({ nodes, links, uplinks }: Pick<Wiring, 'nodes' | 'links' | 'uplinks'>): Map<string, string[]> {
  const words = new Map(nodes.map(node => [node.id, nodeName(node) ?? '']))
  const sorted = new Map<string, { id: string; word: string }[]>()
  for (const { id } of nodes) {
    const link = links[uplinks[id] ?? -1]
    if (!link) continue
    const below = sorted.get(link.upper.node) ?? []
    sorted.set(link.upper.node, below)
    below.push({ id, word: `${link.upper.port ?? '~'} ${words.get(id)} ${id}` })
  }
  return new Map([...sorted].map(([id, list]) => [id, list.sort((a, b) => byPort(a.word, b.word)).map(one => one.id)]))
}

const columnsOf = (rows: number) => Math.ceil(rows / line.most)
const lane = 22
const shelfWidth = (items: readonly Item[]) =>
  items.reduce((sum, { width }) => sum + width, 0) + gap.x * Math.max(0, items.length - 1)
const shelfHeight = (items: readonly Item[]) => Math.max(0, ...items.map(one => one.height))

/** In lines that are not much wider than all of it would be high. */
function shelvesOf(items: readonly Item[]): Item[][] {
  const area = items.reduce((sum, { width, height }) => sum + width * (height + gap.y), 0)
  const most = Math.max(1500, Math.sqrt(area) * 1.6)
  const shelves: Item[][] = []
  for (const item of items) {
    const last = shelves.at(-1)
    if (last && shelfWidth([...last, item]) <= most) last.push(item)
    else shelves.push([item])
  }
  return shelves
}

/** The tree below a node; `seen` keeps a node that two claim from being drawn twice. */
function treeOf(id: string, below: ReadonlyMap<string, readonly string[]>, seen: Set<string>): Tree {
  seen.add(id)
  const own = (below.get(id) ?? []).filter(child => !seen.has(child))
  const rows = own.filter(child => !below.has(child))
  for (const row of rows) seen.add(row)
  const branches = own.filter(child => below.has(child) && !seen.has(child)).map(child => treeOf(child, below, seen))
  const block: Item = {
    tree: undefined,
    width: columnsOf(rows.length) * (line.indent + line.width) - 12,
    height: Math.min(rows.length, line.most) * line.step,
  }
  const items = branches.map(tree => ({ tree, width: tree.width, height: tree.height }))
  const shelves = shelvesOf(rows.length > 0 ? [block, ...items] : items)
  const widest = Math.max(0, ...shelves.map(shelfWidth)) + (shelves.length > 1 ? lane : 0)
  const height = shelves.reduce((sum, shelf) => sum + gap.y + shelfHeight(shelf), box.height)
  return { id, rows, shelves, width: Math.max(box.width, widest), height }
}

type Placing = Map<string, Place>

function placeRows(places: Placing, rows: readonly string[], left: number, top: number): void {
  for (const [at, id] of rows.entries()) {
    const column = Math.floor(at / line.most)
    const x = left + column * (line.indent + line.width) + line.indent
    const y = top + (at % line.most) * line.step
    places.set(id, { x, y, width: line.width - 12, height: line.height, row: true })
  }
}

function placeTree(places: Placing, tree: Tree, left: number, top: number, rail?: number): void {
  const x = left + (tree.width - box.width) / 2
  places.set(tree.id, { x, y: top, ...box, row: false, ...(rail !== undefined && { rail }) })
  const many = tree.shelves.length > 1
  const onlyRows = tree.shelves.length === 1 && tree.shelves[0]?.length === 1 && tree.rows.length > 0
  let under = top + box.height
  for (const [at, shelf] of tree.shelves.entries()) {
    under += onlyRows ? 20 : gap.y
    let next = left + (many ? lane : 0)
    for (const { tree: branch, width } of shelf) {
      if (branch) placeTree(places, branch, next, under, at > 0 ? left + 8 : undefined)
      else placeRows(places, tree.rows, next, under)
      next += width + gap.x
    }
    under += shelfHeight(shelf)
  }
}

/** What is linked to nothing, in rows below everything else. */
function placeLoose(places: Placing, loose: readonly string[], width: number, top: number): void {
  const perRow = Math.max(4, Math.floor((width + gap.x) / (box.width + gap.x)))
  for (const [at, id] of loose.entries()) {
    const [x, y] = [(at % perRow) * (box.width + gap.x), top + Math.floor(at / perRow) * (box.height + 20)]
    places.set(id, { x, y, ...box, row: false })
  }
}

function boundsOf(places: Placing): Bounds {
  const all = [...places.values()]
  if (all.length === 0) return { x: 0, y: 0, width: box.width, height: box.height }
  const [x, y] = [Math.min(...all.map(one => one.x)), Math.min(...all.map(one => one.y))]
  const right = Math.max(...all.map(one => one.x + one.width))
  const bottom = Math.max(...all.map(one => one.y + one.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** With what people put somewhere standing there; a pin of what is gone moves nobody. */
export function pinned({ auto }: Layout, pins: Pins): Layout {
  const places: Placing = new Map(auto)
  for (const [id, { x, y }] of Object.entries(pins)) {
    const place = places.get(id)
    if (place) places.set(id, { ...place, x, y, rail: undefined })
  }
  return { places, bounds: boundsOf(places), auto }
}

/** Where every node stands, px. */
export function layoutOf(wiring: Pick<Wiring, 'nodes' | 'links' | 'uplinks'>): Layout {
  const below = childrenOf(wiring)
  const places: Placing = new Map()
  const seen = new Set<string>()
  const rank = (node: WiringNode) => (node.kind === 'device' && node.gateway ? 0 : 1)
  const word = (node: WiringNode) => `${rank(node)} ${nodeName(node) ?? ''} ${node.id}`
  const sorted = wiring.nodes.toSorted((a, b) => byPort(word(a), word(b)))
  const roots = sorted.filter(({ id }) => wiring.uplinks[id] === undefined)
  let left = 0
  for (const { id } of roots.filter(one => below.has(one.id))) {
    const tree = treeOf(id, below, seen)
    placeTree(places, tree, left, 0)
    left += tree.width + gap.x * 2
  }
  const trees = boundsOf(places)
  const loose = sorted.filter(({ id }) => !places.has(id)).map(one => one.id)
  placeLoose(places, loose, trees.width, places.size > 0 ? trees.y + trees.height + gap.y : 0)
  return { places, bounds: boundsOf(places), auto: places }
}

const middle = ({ x, y, width, height }: Place) => ({ x: x + width / 2, y: y + height / 2 })
export type Direction = 'up' | 'down' | 'left' | 'right'

/** The nearest node in a direction, as the picture shows it; undefined where there is none. */
export function nextPlace({ places }: Layout, from: string, direction: Direction): string | undefined {
  const own = places.get(from)
  if (!own) return undefined
  const start = middle(own)
  const upright = direction === 'up' || direction === 'down'
  const sign = direction === 'up' || direction === 'left' ? -1 : 1
  let best: { id: string; far: number } | undefined
  for (const [id, place] of places) {
    const there = middle(place)
    const [dx, dy] = [there.x - start.x, there.y - start.y]
    const [ahead, aside] = upright ? [dy * sign, Math.abs(dx)] : [dx * sign, Math.abs(dy)]
    if (id === from || ahead < 4) continue
    const far = ahead + aside * 2
    if (!best || far < best.far) best = { id, far }
  }
  return best?.id
}

// Random valid documents of every kind through every driver's renderers: what a person may type must never break the form
// of what is written, and no field may be dropped by all drivers without a word.
import { check, type Data, type Kind } from '@/model/kind'
import type { KindId } from '@/model/registry'
import { desiredSecrets } from '@/server/devices/change/plan/desired'
import { renderAll } from '@/server/drivers/assess'
import { type DesiredDocument, type Driver, type NativeBlock, secretClose, secretOpen } from '@/server/drivers/driver'
import { planPush as planLinux } from '@/server/drivers/linux/push'
import { equal, parseShow, planPush as planOpenwrt } from '@/server/drivers/openwrt/push'
import { drivers } from '@/server/drivers/registry/registry'
import { unmarked } from '@/server/drivers/unix/secret'
import type { Random } from '../model/_random'
import {
  allKinds,
  around,
  documentOf,
  facts,
  gate,
  id,
  type Kinds,
  labels,
  managers,
  neighbour,
  observation,
  placed,
  type Renders,
  randomData,
  render,
  seeded,
} from './surroundings'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029]/

/** A line as uci shows one: a section's type, or values in quotes with each quote of theirs written as `'\\''`. */
const uciLine = /^[a-z0-9]+(?:\.\w+){1,2}=(?:[a-z-]+|'(?:[^']|'\\'')*'(?: '(?:[^']|'\\'')*')*)$/

/** What is wrong with the form of a driver's blocks; undefined when nothing is. */
function broken(driver: Driver<unknown>['id'], blocks: NativeBlock[]): string | undefined {
  const bad = blocks.find(block => control.test(block.text))
  if (bad) return `${bad.id} holds a control character`
  const ids = blocks.map(block => block.id)
  const twice = ids.find((id, at) => ids.indexOf(id) !== at)
  if (twice !== undefined) return `${twice} is written twice`
  if (driver === 'snmp') return undefined
  const plan = driver === 'linux' ? planLinux : planOpenwrt
  plan(id(0), { blocks: [] }, { blocks }, 90)
  if (driver === 'linux') return undefined
  const sections = blocks.filter(block => block.id.startsWith('uci:'))
  const odd = sections.flatMap(block => unmarked(block.text).split('\n')).find(line => !uciLine.test(line))
  if (odd !== undefined) return `not a line of uci: ${odd}`
  const seen = new Map(
    parseShow(sections.map(block => unmarked(block.text)).join('\n')).blocks.map(block => [block.id, block]),
  )
  if (seen.size !== sections.length) return `${sections.length} sections are read back as ${seen.size}`
  const other = sections.find(block => {
    const own = seen.get(block.id)
    return !own || !equal(block, own)
  })
  return other && `${other.id} is read back as ${seen.get(other.id)?.text}`
}

/** The shape of what is written: how many lines each block has. A name that breaks out of its place changes it. */
const shape = (blocks: readonly NativeBlock[]) =>
  blocks
    .map(block => `${block.id} ${block.text.split('\n').length}`)
    .sort()
    .join('\n')

/** The text that names a document, made harmless and as long. */
function plain(kind: Kind, data: Data): Data | undefined {
  const title = data[kind.title]
  if (typeof title !== 'string') return undefined
  const tame = { ...data, [kind.title]: title.replace(/[!-/:-@[-`{-~]/g, 'x') }
  const checked = check(kind, tame)
  return 'data' in checked ? checked.data : undefined
}

const print = (made: ReturnType<typeof render>) => JSON.stringify([made.blocks, made.warnings])

type Looked = { wrong: string[]; told: Set<string>; tried: Map<string, number>; last: Data | undefined }
/** So often a field has to be changed before its silence means something. */
const enoughTries = 8

function lookAt(kinds: Kinds, kind: Kind, random: Random, looked: Looked): void {
  const data = randomData(kind, random)
  const state = Math.floor(random() * 2 ** 31)
  const document = (of: Data) => documentOf(kinds, kind, of, seeded(state))
  const tame = plain(kind, data)
  const changes = looked.last ? changedOnce(kind, data, looked.last, random) : []
  looked.last = data
  for (const [field] of changes) looked.tried.set(field, (looked.tried.get(field) ?? 0) + 1)
  for (const driver of drivers) {
    const made = render(driver, document(data))
    const problem = broken(driver.id, made.blocks)
    if (problem) looked.wrong.push(`${driver.id}: ${problem}: ${JSON.stringify(data)}`)
    if (tame && shape(render(driver, document(tame)).blocks) !== shape(made.blocks))
      looked.wrong.push(`${driver.id}: its name changes the form: ${JSON.stringify(data)}`)
    for (const [field, changed] of changes)
      if (!looked.told.has(field) && print(render(driver, document(changed))) !== print(made)) looked.told.add(field)
  }
}

/** The same document with another's value in one field, for up to three fields. */
function changedOnce(kind: Kind, data: Data, other: Data, random: Random): [string, Data][] {
  const isOpen = (key: string) =>
    key !== kind.title &&
    ![...labels, ...(managers[kind.id] ?? [])].includes(key) &&
    placed[kind.id]?.[key] === undefined &&
    !neighbour(kind.refs[key])
  const fields = Object.keys({ ...data, ...other })
    .filter(key => isOpen(key) && JSON.stringify(data[key]) !== JSON.stringify(other[key]))
    .map(key => ({ key, at: random() }))
    .sort((a, b) => a.at - b.at)
  return fields.slice(0, 3).flatMap(({ key }) => {
    const { [key]: _, ...rest } = data
    const checked = check(kind, other[key] === undefined ? rest : { ...data, [key]: other[key] })
    // Left out is the same as its default.
    const differs = 'data' in checked && JSON.stringify(checked.data[key]) !== JSON.stringify(data[key])
    return differs ? [[key, checked.data] as [string, Data]] : []
  })
}

/** The blocks that a driver writes for `count` random documents of each kind, each among what it needs. */
export async function samples(driver: Renders, count: number, random: Random): Promise<NativeBlock[][]> {
  const kinds = await allKinds()
  return [...kinds.values()].flatMap(kind =>
    Array.from(
      { length: count },
      () => render(driver, documentOf(kinds, kind, randomData(kind, random), random)).blocks,
    ),
  )
}

/** The value with the character put into each of its texts, for each of them, before and behind. */
function* marredBy(value: unknown, character: string): Generator<unknown> {
  if (typeof value === 'string') yield* [`${character}${value}`, `${value}${character}`]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    for (const marred of marredBy(inner, character))
      yield Array.isArray(value)
        ? value.map((one, at) => (String(at) === key ? marred : one))
        : { ...value, [key]: marred }
}

/** What a driver writes for a document, or nothing where its renderer refuses what is in it. */
function rendered(driver: Renders, document: DesiredDocument): NativeBlock[] {
  try {
    return render(driver, document).blocks
  } catch (error) {
    if ((error as Error).name === 'ZodError') return []
    throw error
  }
}

/** What a driver writes for the documents around alone. */
const renderAround = ({ renderers }: Renders): NativeBlock[] =>
  renderAll(renderers, { facts, observation, documents: [...around], confirmSeconds: 90, imported: [], gate }).blocks

/** The blocks with the character at the begin of each of their lines. */
const marredLines = (blocks: readonly NativeBlock[], character: string): NativeBlock[] =>
  blocks.map(block => ({ ...block, text: block.text.replace(/^/gm, character) }))

/**
 * Secrets that a difference of a document's configuration shows when a mark of secrets stands where it does not belong:
 * in any of the document's texts, or in any line of what is written. `show` makes the lines.
 */
export async function shownSecrets(
  kindId: KindId,
  count: number,
  random: Random,
  show: (blocks: NativeBlock[]) => string[],
): Promise<string[]> {
  const kinds = await allKinds()
  const kind = kinds.get(kindId) as Kind
  const shown: string[] = []
  for (let n = 0; n < count; n++) {
    const document = documentOf(kinds, kind, randomData(kind, random), random)
    // A made-up secret may happen to be an address or a mask that stands in the open anyway.
    const open = drivers.flatMap(driver => show(renderAround(driver))).join('\n')
    const secrets = desiredSecrets(kinds, [...around, document]).filter(one => one.length >= 8 && !open.includes(one))
    for (const character of [secretOpen, secretClose])
      for (const driver of drivers.filter(one => one.protocol === 'ssh')) {
        const documents = [...marredBy(document.data, character)].map(data => ({ ...document, data: data as Data }))
        const written = documents.map(marred => rendered(driver, marred))
        for (const blocks of [...written, marredLines(rendered(driver, document), character)]) {
          const bare = secrets.find(secret => show(blocks).some(line => line.includes(secret)))
          if (bare !== undefined) shown.push(`${driver.id}: ${bare} of ${JSON.stringify(document)}`)
        }
      }
  }
  return shown
}

/** Tries `count` documents of a kind; what was wrong, and which of the fields that were changed changed nothing anywhere. */
export async function fuzzKind(kindId: KindId, count: number, random: Random) {
  const kinds = await allKinds()
  const looked: Looked = { wrong: [], told: new Set(), tried: new Map(), last: undefined }
  for (let n = 0; n < count && looked.wrong.length < 5; n++) lookAt(kinds, kinds.get(kindId) as Kind, random, looked)
  const silent = [...looked.tried].filter(([field, times]) => times >= enoughTries && !looked.told.has(field))
  return { wrong: looked.wrong, silent: silent.map(([field]) => field).sort() }
}

import type { Kind } from '@/model/kind'
import { ssid } from '@/model/wifi/ssid'
import { type PlanInput, renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeBlock } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { equal, parseShow, planPush } from '@/server/drivers/openwrt/push'
import { unmarked } from '@/server/drivers/unix/secret'
import { randomDocument } from '../model/_random'
import { randomOf } from '../soak/random'
import { randomFirewalls } from './_firewall-fuzz'
import { networkRoles } from './_network-roles'

// What a push writes is read by a parser of our own, made after libuci's rules, and must say the very plan again:
// whatever names, keys and texts hold.

/** Words of one line of `uci batch`: quotes and backslashes as libuci has them. */
function words(line: string): string[] {
  const found = line.match(/(?:'[^']*'|\\.|[^\s'"\\#])+/g) ?? []
  const rest = line.replace(/(?:'[^']*'|\\.|[^\s'"\\#])+/g, '').trim()
  if (rest !== '') throw new Error(`not understood: ${line}`)
  return found.map(word =>
    word.replace(/'([^']*)'|\\(.)/g, (_all, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''),
  )
}

type Sections = Map<string, { type: string; options: Map<string, string | string[]> }>

/** What /etc/config then holds, by `package.section`. */
function taken(batch: string): Sections {
  const all: Sections = new Map()
  for (const line of batch.split('\n').filter(Boolean)) {
    const [verb, tuple = '', ...more] = words(line)
    const [, key = '', section = '', option, value = ''] =
      /^(([a-z0-9]+\.[A-Za-z0-9_]+)(?:\.([A-Za-z0-9_]+))?)=(.*)$/s.exec(tuple) ?? []
    if (more.length > 0 || key === '') throw new Error(`not understood: ${line}`)
    const held = all.get(section)
    if (verb === 'set' && option === undefined) all.set(section, { type: value, options: new Map() })
    else if (verb === 'set' && held && option) held.options.set(option, value)
    else if (verb === 'add_list' && held && option)
      held.options.set(option, [...[held.options.get(option) ?? []].flat(), value])
    else if (verb !== 'reorder') throw new Error(`not understood: ${line}`)
  }
  return all
}

const show = (all: Sections): string =>
  [...all]
    .flatMap(([name, { type, options }]) => [
      `${name}=${type}`,
      ...[...options].map(([option, value]) => {
        const quoted = [value].flat().map(one => `'${one.replaceAll("'", "'\\''")}'`)
        return `${name}.${option}=${quoted.join(' ')}`
      }),
    ])
    .join('\n')

const radios = (['2g', '5g'] as const).map((band, at) => ({
  key: `radio${at}`,
  name: `radio${at}`,
  band,
  country: 'DE',
  up: true,
}))
const input = (documents: DesiredDocument[]): PlanInput => ({
  facts: { kind: 'gateway', capabilities: ['wifi', 'fw4', 'mwan3', 'ddns', 'nftBridge'] },
  observation: {
    takenAt: 0,
    depth: 'full',
    radios,
    networkRoles,
    networks: [
      { name: 'lan', device: 'br-lan' },
      { name: 'wan', device: 'eth1' },
    ],
  },
  documents,
  confirmSeconds: 90,
})

function readBack(documents: DesiredDocument[]): NativeBlock[] {
  const { blocks } = renderAll(driver.renderers, input(documents))
  expect(new Set(blocks.map(block => block.id)).size).toBe(blocks.length)
  const plan = planPush('id', { blocks: [] }, { blocks }, 90)
  const sections = taken(plan.writes[0]?.text ?? '')
  const seen = new Map(parseShow(show(sections)).blocks.map(block => [block.id, block]))
  for (const block of blocks.filter(one => one.id.startsWith('uci:'))) {
    const back = seen.get(block.id)
    if (!back || !equal(block, back)) expect(back?.text).toBe(block.text)
    seen.delete(block.id)
  }
  expect([...seen.keys()]).toEqual([])
  return blocks
}

const seed = 20261121
const references = ['radius', 'ppsk', 'schedule', 'portal']
const anyId = '0190a5c4-7b1e-4c3d-8e2f-112233445566'
/** Documents of a kind, each for itself; those with references are left to other tests. */
const some = (kind: Kind, count: number, random: () => number): DesiredDocument[] =>
  Array.from({ length: count }, (_, at) => {
    const data = randomDocument(kind, random, { ids: Object.fromEntries(references.map(one => [one, [anyId]])) })
    return { id: `${kind.id}-${at}`, kind: kind.id, name: String(data.name), data }
  }).filter(({ data }) => references.every(one => data[one] === undefined))

test('a network’s name and key come to the device letter by letter', () => {
  const documents = some(ssid as Kind, 240, randomOf(seed))
  expect(documents.length).toBeGreaterThan(10)
  for (const document of documents) {
    const { name, key } = document.data as { name: string; key?: string }
    const block = readBack([document]).find(one => one.id.startsWith('uci:wireless.'))
    if (!block) continue
    const plain = { ...block, text: unmarked(block.text) }
    const options = [
      ...taken(planPush('id', { blocks: [] }, { blocks: [plain] }, 90).writes[0]?.text ?? '').values(),
    ][0]
    expect(options?.options.get('ssid')).toBe(name)
    if (key !== undefined && document.data.security !== 'wep') expect(options?.options.get('key')).toBe(key)
  }
})

test('firewalls full of rules are written and read back as they were planned', () => {
  for (const documents of randomFirewalls(4, seed)) readBack(documents)
})

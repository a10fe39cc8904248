import { readdirSync, readFileSync } from 'node:fs'
import { isKindId, isSingle } from '@/model/registry'
import { renderAll } from '@/server/drivers/assess'
import type { DesiredDocument, NativeConfig } from '@/server/drivers/driver'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { planPush } from '@/server/drivers/openwrt/push'
import { unmanagedItems } from '@/server/drivers/openwrt/unmanaged'
import type { ImportedItem, UnmanagedItem } from '@/server/drivers/unmanaged'
import { networkRoles } from './_network-roles'

// What a router runs, taken over as the manager does it: chosen options, the documents proposed for them, the plan.

const folder = `${import.meta.dirname}/../recordings/openwrt-24.10`
export const recorded = readdirSync(folder)
  .filter(name => /^uci-show-.*\.out$/.test(name))
  .map(name => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('')

const facts = { kind: 'gateway' as const, capabilities: ['wifi'] }
const networks = [{ name: 'lan', device: 'br-lan' }]
const radios = (['2g', '5g'] as const).map((band, at) => ({ key: `radio${at}`, name: `radio${at}`, band, up: true }))
export const observation = {
  takenAt: 0,
  depth: 'full' as const,
  networks,
  networkRoles,
  radios,
  login: 'publickey' as const,
}
export const input = (documents: DesiredDocument[], taken: ImportedItem[]) => ({
  ...{ facts, observation, documents, confirmSeconds: 60, imported: taken },
})

/** Everything that is offered, as a person who marks all of it. */
const chosenOf = (items: readonly UnmanagedItem[], wanted = /./): ImportedItem[] =>
  items
    .filter(item => item.state === 'unmanaged' && wanted.test(item.id))
    .map(({ id, options, about }) => {
      const offered = options.filter(one => one.kind !== undefined)
      return { id, options: Object.fromEntries(offered.map(one => [one.option, one.value ?? null])), about }
    })

/** Chosen items with the documents that are proposed for them, as the manager stores both. */
export function take(text: string, wanted?: RegExp) {
  const items = unmanagedItems(text, [])
  const chosen = chosenOf(items, wanted)
  const proposals = driver.renderers.flatMap(one => one.proposes?.(chosen, items, input([], chosen)) ?? [])
  const singles = new Map<string, DesiredDocument>()
  const documents: DesiredDocument[] = []
  const deciding = new Map<string, string>()
  for (const [at, { kind, fields, items: ids }] of proposals.entries()) {
    if (isKindId(kind) && isSingle(kind)) {
      const data = { ...singles.get(kind)?.data, ...fields }
      singles.set(kind, { id: kind, kind, name: '', data })
      continue
    }
    documents.push({ id: `d${at}`, kind, name: String(fields.name), data: fields })
    for (const id of ids) deciding.set(id, `d${at}`)
  }
  const taken = chosen.map(item => ({ ...item, document: deciding.get(item.id) }))
  return { items, taken, documents: [...documents, ...singles.values()] }
}

export const planned = (documents: DesiredDocument[], taken: ImportedItem[]): NativeConfig => ({
  blocks: renderAll(driver.renderers, input(documents, taken)).blocks,
})
export const former = (taken: ImportedItem[]): NativeConfig => ({
  blocks: taken.flatMap(one => driver.ownership?.former(one) ?? []),
})
export const texts = ({ blocks }: NativeConfig) => Object.fromEntries(blocks.map(block => [block.id, block.text]))
/** The commands that a push would send. */
export const commands = (before: NativeConfig, next: NativeConfig) =>
  planPush('1', before, next, 60)
    .writes.map(one => one.text)
    .join('')

/** With other values in a document of a kind. */
export const changed = (documents: DesiredDocument[], kind: string, data: object) =>
  documents.map(one => (one.kind === kind ? { ...one, data: { ...one.data, ...data } } : one))

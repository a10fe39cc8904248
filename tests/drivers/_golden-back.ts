import { readFileSync } from 'node:fs'
import type { NativeBlock, Renderer } from '@/server/drivers/driver'
import { wifiRenderer as linux } from '@/server/drivers/linux/wifi/wifi'
import { wifiRenderer as openwrt } from '@/server/drivers/openwrt/wifi/wifi'
import { casesOf, partsOf, pathOf, readCase, visible } from './_golden'

// The way back, golden/DRIVER/wifi-back/CASE.txt: what is given as in every golden file (_golden.ts), and the fields by
// which somebody changed the one document on the device. What follows is made: the lines that are others there, and what
// they are read as.

const renderers: Readonly<Record<string, Renderer>> = { 'linux/wifi-back': linux, 'openwrt/wifi-back': openwrt }
const seen = '\n-- On the device --\n'

/** By document. */
type Fields = Readonly<Record<string, object>>
export type Back = { name: string; title: string; text: string; changed: Fields; read: Fields }

function linesOf(before: NativeBlock, after: NativeBlock): string[] {
  const [old, now] = [before, after].map(block => visible(block.text).trimEnd().split('\n')) as [string[], string[]]
  return [
    ...old.filter(line => !now.includes(line)).map(line => `- ${line}`),
    ...now.filter(line => !old.includes(line)).map(line => `+ ${line}`),
  ]
}

function fileOf(renderer: Renderer, name: string): Back {
  const [head = ''] = readFileSync(pathOf(name), 'utf8').split(seen)
  const { title, given } = readCase(name)
  const changed = JSON.parse(partsOf(head).get('Changed') ?? '') as object
  const [document] = given.documents
  if (!document) throw new Error(`${name}: no document`)
  const blocksOf = (data: object) =>
    renderer.render({
      ...{ ...given, documents: [{ ...document, data: { ...document.data, ...data } }] },
      confirmSeconds: 90,
    }).blocks
  const after = new Map(blocksOf(changed).map(block => [block.id, block]))
  const pairs = blocksOf({}).flatMap(block => {
    const now = after.get(block.id)
    return now && now.text !== block.text ? [[block, now] as const] : []
  })
  const told = pairs.flatMap(([block, now]) => renderer.adopt?.(now, block, given.documents) ?? [])
  const read: Record<string, object> = {}
  for (const one of told) read[one.document] = { ...read[one.document], ...one.fields }
  const lines = pairs.flatMap(([block, now]) => [block.id, ...linesOf(block, now)])
  const text = `${head}${seen}${lines.join('\n')}\n\n-- Read as --\n${JSON.stringify(read)}\n`
  return { name, title, text, changed: { [document.id]: changed }, read }
}

export const backFiles = (): Back[] =>
  Object.entries(renderers).flatMap(([area, renderer]) => casesOf(area).map(name => fileOf(renderer, name)))

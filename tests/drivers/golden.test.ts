// What the renderers make of settings, against golden files: one case a file under golden/DRIVER/AREA.
// A new case is a file with its first half; a changed renderer changes the second halves. Both are written by
//   node appliance/build/run-ts.mjs tests/drivers/golden-write.ts [AREA…]
// and read by a person before they are kept.
import { readFileSync } from 'node:fs'
import { planPush as planFiles } from '@/server/drivers/linux/push'
import { parseShow, planPush as planSections } from '@/server/drivers/openwrt/push'
import { unmarked } from '@/server/drivers/unix/secret'
import { areas, filesOf, pathOf, readCase } from './_golden'

const files = areas.flatMap(filesOf)

test.each(files)('$name: $title', ({ name, text }) => expect(text).toBe(readFileSync(pathOf(name), 'utf8')))

const of = (driver: string) =>
  files.filter(one => one.name.startsWith(`${driver}/`)).map(({ name, made }) => ({ name, blocks: made.blocks }))

test.each(of('linux'))('$name: every file is one of ours and can be pushed', ({ blocks }) => {
  const plan = planFiles('1', { blocks: [] }, { blocks }, 60)
  expect(plan.files).toHaveLength(new Set(blocks.map(block => block.id)).size)
})

test.each(of('openwrt'))('$name: what `uci show` prints of it is read back as it was planned', ({ blocks }) => {
  expect(new Set(blocks.map(block => block.id)).size).toBe(blocks.length)
  const sections = blocks.filter(block => block.id.startsWith('uci:') && !block.item)
  const seen = parseShow(unmarked(sections.map(block => block.text).join('\n'))).blocks
  expect(seen.map(block => block.text)).toEqual(sections.map(block => block.text))
  expect(() => planSections('1', { blocks: blocks.filter(block => block.item) }, { blocks }, 60)).not.toThrow()
})

const blocking = files.flatMap(({ name, made }) => {
  const { documents } = readCase(name).given
  const blocked = documents.filter(({ kind }) => kind === 'blockedClient')
  return blocked.length > 0 ? [{ name, made, blocked }] : []
})

test.each(blocking)(
  '$name: a blocked client is said to be in the plan where a block keeps it out',
  ({ made, blocked }) => {
    const said = new Set([...(made.carries ?? []), ...made.blocks.flatMap(({ document }) => document ?? [])])
    const text = made.blocks.map(block => block.text.replaceAll(/[:-]/g, '')).join('\n')
    const kept = blocked.filter(({ data }) => text.includes(String(data.mac).replaceAll(/[:-]/g, '')))
    expect(blocked.filter(({ id }) => said.has(id))).toEqual(kept)
  },
)

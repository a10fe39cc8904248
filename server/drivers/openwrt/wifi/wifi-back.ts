import { changedFields } from '../../changed-fields'
import type { Adopted, Interrupts, NativeBlock } from '../../driver'
import type { Observation } from '../../observation'
import { fieldsIn } from '../options/wifi-fields'
import { formerValues, seenItem } from '../uci/imported'

// The way back from wifi-iface sections: what they say in terms of settings, and whom a change of one interrupts.

const isSection = (block: NativeBlock) =>
  /^uci:wireless\.lw_/.test(block.id) && /^wireless\.\w+=wifi-iface$/m.test(block.text)

/** Options of a section as `uci show` prints them. */
export function optionsOf(text: string): Map<string, string> {
  const lines = text.split('\n').flatMap(line => {
    const [, option, value] = /^\w+\.\w+\.(\w+)='(.*)'$/.exec(line) ?? []
    return option && value !== undefined ? [[option, value.replaceAll("'\\''", "'")] as const] : []
  })
  return new Map(lines)
}

/** What a section of ours, or an imported one, says. */
export function fieldsOf(block: NativeBlock): Record<string, unknown> {
  const own = seenItem(block)
  return fieldsIn(option => formerValues(own, option))
}

export function adopt(seen: NativeBlock, planned: NativeBlock): Adopted[] | undefined {
  if (!isSection(seen) || !planned.document) return undefined
  return [{ document: planned.document, fields: changedFields(fieldsOf(planned), fieldsOf(seen)) }]
}

/** The radio of a section; of one that was imported only some options are at hand. */
function radioOf(block: NativeBlock, options: ReadonlyMap<string, string>, { bss, radios }: Observation) {
  const name = block.id.replace(/^uci:wireless\./, '')
  if (radios?.some(one => one.key === name)) return name
  return options.get('device') ?? bss?.find(one => one.ssid === options.get('ssid'))?.radio
}

/** netifd brings the radio's networks down and up again. */
export function interrupts(block: NativeBlock, observation: Observation): Interrupts | undefined {
  if (!isSection(block) && !(block.item && block.id.startsWith('uci:wireless.'))) return undefined
  const options = optionsOf(block.text)
  const radio = radioOf(block, options, observation)
  const bss = observation.bss?.filter(one => one.radio === radio) ?? []
  return {
    interfaces: bss.flatMap(one => one.interface ?? []),
    ssids: [options.get('ssid') ?? [], ...bss.map(one => one.ssid)].flat(),
  }
}

import { vendorOf } from '../../models/registry'
import { tag, type VarBind } from '../protocol/ber'
import type { Notification } from '../protocol/notification'
import { objects, traps } from './trap-names'

/** A notification in words: what it is called, what it carries, and how grave its MIB's name says it is. */
export type TrapText = { name: string; text: string; severity?: number }

const isReadable = (text: string) => !/[\p{Cc}\uFFFD]/u.test(text.replace(/[\r\n\t]/g, ' '))

function octets(bytes: Buffer): string {
  // Windows agents and others end texts with a zero.
  const text = bytes.toString('utf8').replace(/\0+$/, '')
  if (bytes.length === 6 && !/^[\x20-\x7e]+$/.test(text)) return hex(bytes, ':')
  return isReadable(text) ? text : hex(bytes, ' ')
}
const hex = (bytes: Buffer, between: string) => bytes.toString('hex').replace(/..(?=.)/g, `$&${between}`)

/** Longest known beginning of an identifier, and the rest, which is an index. */
function named(oid: string): { name: string; words?: Readonly<Record<number, string>>; index: string } | undefined {
  for (let end = oid.length; end > 0; end = oid.lastIndexOf('.', end - 1)) {
    const found = objects[oid.slice(0, end)]
    if (found) return { name: found[0], ...(found[1] && { words: found[1] }), index: oid.slice(end + 1) }
  }
  return undefined
}

const nameOf = (oid: string): string => {
  const trap = traps[oid]
  if (trap) return trap[0]
  const found = named(oid)
  if (!found) return oid
  return found.index === '' || found.index === '0' ? found.name : `${found.name}.${found.index}`
}

/** Hundredths of a second as `1 d 2:03:04`. */
function ticks(value: number): string {
  const seconds = Math.floor(value / 100)
  const two = (part: number) => String(part).padStart(2, '0')
  const clock = `${Math.floor(seconds / 3600) % 24}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return seconds < 86_400 ? clock : `${Math.floor(seconds / 86_400)} d ${clock}`
}

function saidOf({ oid, type, value }: VarBind): string {
  if (value === null) return 'null'
  if (typeof value === 'number')
    return type === tag.timeTicks ? ticks(value) : (named(oid)?.words?.[value] ?? String(value))
  if (typeof value === 'string') return type === tag.oid ? nameOf(value) : value
  return octets(value)
}

export function trapText({ trap, agent, bindings }: Notification): TrapText {
  const known = traps[trap]
  const maker = known ? undefined : vendorOf(trap, '')?.name
  const said = bindings.map(one => `${nameOf(one.oid)}: ${saidOf(one)}`)
  const parts = [...(agent ? [`agent: ${agent}`] : []), ...(maker ? [`maker: ${maker}`] : []), ...said]
  return { name: known?.[0] ?? trap, text: parts.join(', '), ...(known && { severity: known[1] }) }
}

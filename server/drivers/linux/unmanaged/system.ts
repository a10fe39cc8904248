import type { SyslogLevel } from '@/model/system/system'
import { clean } from '../../unix/text'
import { iniSettings, listed } from './ini'
import { levelOf } from './syslog-levels'

export type File = { path: string; text: string }

/** timesyncd.conf(5): the servers of the main file and its drop-ins, in the order in which they count. */
export function timeServers(files: readonly File[]): string[] {
  const ranked = files.toSorted((a, b) => Number(isDropIn(a)) - Number(isDropIn(b)) || (a.path < b.path ? -1 : 1))
  return listed(
    ranked.flatMap(file => iniSettings(file.text)),
    'Time',
    'NTP',
  ).slice(0, 50)
}
const isDropIn = ({ path }: File) => path.includes('.conf.d/')

export type Forward = {
  path: string
  /** The line as it stands. */
  line: string
  /** What settings can say of it; absent where they cannot: messages of some programs, or with options of its own. */
  target?: { protocol: 'udp' | 'tcp'; host: string; port: number; level: SyslogLevel }
}

const host = String.raw`(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))`
const legacy = new RegExp(String.raw`^\s*(\S+)\s+(@@?)(\([^)]*\))?${host}(?::(\d{1,5}))?\s*(\S.*)?$`)
const modern = /^\s*(\S+)\s+action\((.{1,500})\)\s*$/i

export const forwardOption = 'forward'

/** rsyslog.conf(5): what a line sends elsewhere, as `*.* @host:port` and as `action(type="omfwd" …)`. */
function forwardOf(line: string): Pick<Forward, 'target'> | undefined {
  if (/^\s*#/.test(line) || line.length > 1_000) return undefined
  const old = legacy.exec(line)
  if (old) return target(old[1], old[2] === '@@', old[4] ?? old[5], old[6], old[3] ?? old[7])
  const [, selector, body = ''] = modern.exec(line) ?? []
  const given = [...body.matchAll(/([A-Za-z.]+)\s*=\s*"([^"]*)"/g)]
  const options = new Map(given.map(one => [one[1]?.toLowerCase() ?? '', one[2]]))
  if (options.get('type') !== 'omfwd') return undefined
  const tcp = options.get('protocol')?.toLowerCase() === 'tcp'
  const more = [...options.keys()].find(key => !['type', 'target', 'port', 'protocol'].includes(key))
  return target(selector, tcp, options.get('target'), options.get('port'), more)
}

export const isForward = (line: string): boolean => forwardOf(line) !== undefined
export const forwardTarget = (line: string): Forward['target'] => forwardOf(line)?.target

export const forwards = ({ path, text }: File): Forward[] =>
  text.split('\n', 2_000).flatMap(line => {
    const found = forwardOf(line)
    return found ? [{ path, line: line.trim(), ...found }] : []
  })

function target(
  selector: string | undefined,
  tcp: boolean,
  to: unknown,
  given: unknown,
  more: unknown,
): Pick<Forward, 'target'> {
  const port = given === undefined ? 514 : Number(given)
  const name = clean(to, 253)
  const level = levelOf(selector ?? '')
  if (!level || more !== undefined || !name || !(port >= 1 && port <= 65_535)) return {}
  return { target: { protocol: tcp ? 'tcp' : 'udp', host: name, port, level } }
}

/** A zone of the tz database by the link or the name that says it. */
export function zoneOf(link: string | undefined, name: string | undefined): string | undefined {
  const [, linked] = /\/zoneinfo\/([A-Za-z0-9_+/-]{1,64})$/.exec(link?.trim() ?? '') ?? []
  return linked ?? /^[A-Za-z0-9_+/-]{1,64}$/.exec(name?.trim() ?? '')?.[0]
}

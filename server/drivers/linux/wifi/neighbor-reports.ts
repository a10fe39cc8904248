import { DeviceError, type NeighborList } from '../../driver'
import { command } from '../../shell'
import { bssidOf } from '../../unix/hostapd'
import { clean } from '../../unix/text'
import { type LinuxSession, script } from '../observe/observe'

const prelude = `tell() {
  said=$(hostapd_cli -p /run/hostapd "$@" </dev/null 2>&1)
  [ "$said" = OK ] || { echo "$*: $said" >&2; exit 1; }
}
`

/** One line for each that is new, and for each that is not wanted any more. */
function linesFor({ interface: name, ssid, told, wanted }: NeighborList): string[] {
  const named = `ssid=${Buffer.from(ssid).toString('hex')}`
  const kept = new Set(wanted.map(bssidOf))
  const gone = told.map(bssidOf).filter(bssid => !kept.has(bssid))
  const fresh = wanted.filter(element => !told.includes(element))
  return [
    ...gone.map(bssid => command('tell', '-i', name, 'remove_neighbor', bssid, named)),
    ...fresh.map(element => command('tell', '-i', name, 'set_neighbor', bssidOf(element), named, `nr=${element}`)),
  ]
}

/** Tells hostapd of the other access points of its networks, while it runs. */
export async function tellNeighbors(session: LinuxSession, lists: readonly NeighborList[]): Promise<void> {
  const { code, stderr } = await script(session, `${prelude}${lists.flatMap(linesFor).join('\n')}\n`)
  if (code !== 0) throw new DeviceError('commandFailed', clean(stderr) ?? `status ${code}`)
}

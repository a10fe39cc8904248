import type { Warning } from '../driver'
import type { Observation } from '../observation'
import { namedPorts, type Placed, portCalled, portWarning } from '../port-profiles'

// Which port gets copies of which: one observation port a device, and its own traffic is never copied.

/** By port name the observation port's name; ports that stay without one are told. */
export type Mirrors = { observers: ReadonlyMap<string, string>; warnings: Warning[] }

/** The copies of one port, and why there are none. */
function mirrorOf(
  placed: Placed,
  all: readonly Placed[],
  seen: Observation,
): { observer?: string; warnings: Warning[] } {
  const { profile, named } = placed
  const to = profile.data.mirrorTo
  if (to === undefined) return { warnings: [] }
  const found = portCalled(to, namedPorts(seen))
  const values = { profile: profile.name, port: named.face.name, observer: to }
  if (!found) return { warnings: [portWarning('mirrorMissing', profile, values)] }
  const observer = found.face.name
  const calls = (other: Placed) =>
    other.profile.data.mirrorTo && portCalled(other.profile.data.mirrorTo, namedPorts(seen))
  const other = all.map(calls).find(one => one && one.face.name !== observer)
  const isObserved = all.some(one => one.profile.data.mirrorTo !== undefined && one.named.face.name === observer)
  const leadsHome = [seen.path?.interface, seen.path?.port].includes(found.face.key)
  return {
    observer,
    warnings: [
      ...(isObserved ? [portWarning('mirrorItself', profile, values, true)] : []),
      ...(other ? [portWarning('mirrorTwice', profile, { ...values, other: other.face.name }, true)] : []),
      ...(leadsHome ? [portWarning('mirrorManager', profile, values, true)] : []),
    ],
  }
}

const isFirst = (one: Warning, at: number, all: readonly Warning[]) =>
  all.findIndex(({ code, document }) => code === one.code && document === one.document) === at

/** For all ports that are mirrored on a device that can do it. */
export function mirrorsOf(all: readonly Placed[], seen: Observation): Mirrors {
  const made = all.map(one => ({ port: one.named.face.name, ...mirrorOf(one, all, seen) }))
  return {
    observers: new Map(made.flatMap(({ port, observer }) => (observer ? [[port, observer] as const] : []))),
    warnings: made.flatMap(one => one.warnings).filter(isFirst),
  }
}

import type { LinkEnd, Topology } from '@/server/topology/graph'
import { topologyOf } from '@/server/topology/topology'
import { randomOf } from '@/tests/soak/random'
import { hard, randomNetwork, type Wiring } from './_network'

// What a drawn topology is worth beside the wiring that it was drawn of.

export type Verdict = {
  drawn: number
  right: number
  /** Certain links, or claims of where something is, that are not so. */
  wrongCertain: string[]
  wrongSomewhere: string[]
  /** Segments between managed switches. */
  segments: number
  found: number
}

const keyOf = ({ node, interface: port }: LinkEnd) => `${node.slice(1)}:${port}`
const isDevice = ({ node }: LinkEnd) => node.startsWith('d')

type Link = Topology['links'][number]

const nameOf = ({ upper, lower }: Link) => `${keyOf(upper)} ${keyOf(lower)}`

function isSomewhere({ upper, lower }: Link, { behind }: Wiring): boolean {
  const holds = (one: LinkEnd, other: LinkEnd) => behind.get(keyOf(one))?.has(Number(other.node.slice(1))) ?? false
  return holds(upper, lower) || holds(lower, upper)
}

/** By unmanaged switch that was drawn: the ports that were drawn to hang on it. */
function middlesOf(links: readonly Link[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { upper, lower } of links) {
    if (isDevice(upper) === isDevice(lower)) continue
    const [middle, port] = isDevice(upper) ? [lower.node, keyOf(upper)] : [upper.node, keyOf(lower)]
    found.set(middle, [...(found.get(middle) ?? []), port])
  }
  return found
}

export function judge(wiring: Wiring, { links }: Topology): Verdict {
  const { segments } = wiring
  const [somewhere, asserted] = [
    links.filter(one => one.certainty === 'somewhere'),
    links.filter(one => one.certainty !== 'somewhere'),
  ]
  const direct = asserted.filter(one => isDevice(one.upper) && isDevice(one.lower))
  const isRight = (one: Link) => segments.get(keyOf(one.upper))?.ports.includes(keyOf(one.lower)) ?? false
  const middles = [...middlesOf(asserted).values()]
  const wrong = direct.filter(one => !isRight(one))
  const rightAtMiddles = middles.map(ports => {
    const segment = segments.get(ports[0] ?? '')
    return segment?.unmanaged ? ports.filter(port => segment.ports.includes(port)).length : 0
  })
  const drawn = new Set([
    ...direct.map(one => [keyOf(one.upper), keyOf(one.lower)].toSorted().join(' ')),
    ...middles.map(ports => ports.toSorted().join(' ')),
  ])
  const wanted = new Set([...segments.values()].filter(one => one.ports.length > 1).map(one => one.ports.join(' ')))
  return {
    drawn: direct.length + middles.flat().length,
    right: direct.length - wrong.length + rightAtMiddles.reduce((sum, count) => sum + count, 0),
    wrongCertain: wrong.filter(one => one.certainty === 'certain').map(nameOf),
    wrongSomewhere: somewhere.filter(one => !isSomewhere(one, wiring)).map(nameOf),
    segments: wanted.size,
    found: [...wanted].filter(one => drawn.has(one)).length,
  }
}

/** Networks of 10 to `most` switches, one a seed, judged together. */
export function judgeAll(seeds: readonly number[], most: number): Verdict {
  const verdicts = seeds.map(seed => {
    const random = randomOf(seed)
    const wiring = randomNetwork(random, { ...hard, switches: 10 + Math.floor(random() * (most - 9)) })
    return judge(wiring, topologyOf(wiring.sights))
  })
  const sum = (of: (one: Verdict) => number) => verdicts.reduce((all, one) => all + of(one), 0)
  return {
    drawn: sum(one => one.drawn),
    right: sum(one => one.right),
    wrongCertain: verdicts.flatMap(one => one.wrongCertain),
    wrongSomewhere: verdicts.flatMap(one => one.wrongSomewhere),
    segments: sum(one => one.segments),
    found: sum(one => one.found),
  }
}

import type { RenderInput, Warning } from '../driver'
import { type GatedLan, openNames } from './gate-rules'
import type { LanNetwork } from './lans'

// What every gateway's plan says of its gate.

/** What holds a guest's rate on an interface. */
export type Held = 'class' | 'limit'

/** A class, but where nothing has queues or somebody else has laid one. */
export function heldRates(queues: boolean, links: readonly string[], { observation }: RenderInput): Held {
  const shaped = observation?.interfaces?.some(one => links.includes(one.name) && one.shaper)
  return queues && links.length > 0 && !shaped ? 'class' : 'limit'
}

export const aboutGate = ({ network }: GatedLan, more: Record<string, string> = {}) => ({
  ...{ kind: 'lan', document: network.id, values: { lan: network.name, ...more } },
})

/** Somebody else's gate on the same interface, which nobody takes away from him; `names`: others that it may be called by. */
export function unmanagedPortal(
  lan: GatedLan,
  observation: RenderInput['observation'],
  names: readonly string[] = [],
): Warning | undefined {
  const found = observation?.portals?.find(one => one.interface === lan.link || names.includes(one.interface ?? ''))
  return found && { ...aboutGate(lan, { program: found.program }), code: 'portalUnmanaged', blocks: true }
}

/** What holds less than it should; `follows`: the network's name server fills sets. */
export const gateNotes = (
  lan: GatedLan,
  held: readonly Held[],
  follows: (network: LanNetwork) => boolean,
): Warning[] => [
  ...(openNames(lan.network).length > 0 && !follows(lan.network)
    ? [{ ...aboutGate(lan), code: 'portalNames' as const }]
    : []),
  ...(held.includes('limit') ? [{ ...aboutGate(lan), code: 'portalDrops' as const }] : []),
]

/** The file that a device's gate is read by (`GateSystem.lans`). */
export const lansText = (lans: readonly (GatedLan & { held: readonly Held[] })[], outside: readonly string[]) =>
  [
    '# Written by Lanward. Changes made here are replaced.',
    ...lans.map(
      ({ network, link, held }) =>
        `lan ${link} ${network.id} ${(network.portal?.idleMinutes ?? 0) * 60} ${held.join(' ')}`,
    ),
    ...outside.map(link => `outside ${link}`),
    '',
  ].join('\n')

import type { DesiredDocument, Warning } from '@/server/drivers/driver'
import { type Effect, effects } from '@/server/drivers/effects'
import type { WarningCode } from '@/server/drivers/words'

// What of the settings given to one device is not on it after a push. Pure.

/**
 * One setting that a device does not have as it was saved, and one reason.
 * out: nothing of it is there. held: a push is stopped by it. part: some of it is missing. moot: it means nothing there.
 */
export type LeftOut = {
  document: string
  kind: string
  effect: Exclude<Effect, 'note'> | 'held'
  code: WarningCode
  values: Record<string, string | number>
}

type Planned = {
  documents: readonly DesiredDocument[]
  warnings: readonly Warning[]
  /** Documents that at least a part of the plan is made of. */
  carries: readonly string[]
}

const isOn = ({ data }: DesiredDocument) => data.enabled !== false

/** What of a plan's documents its warnings say that the device will not have. */
export function leftOutOf({ documents, warnings, carries }: Planned): LeftOut[] {
  const carried = new Set(carries)
  const effectOn = (id: string, { code, blocks }: Warning) => {
    const effect: Effect = effects[code]
    if (blocks) return 'held'
    return effect === 'out' && carried.has(id) ? 'part' : effect
  }
  return warnings.flatMap(warning => {
    const { kind, document, code, values = {} } = warning
    if (kind === undefined) return []
    // Without a document it is about all of its kind.
    const about =
      document === undefined ? documents.filter(one => one.kind === kind && isOn(one)).map(one => one.id) : [document]
    return about.flatMap(id => {
      const effect = effectOn(id, warning)
      return effect === 'note' ? [] : [{ document: id, kind, effect, code, values }]
    })
  })
}

/** It means something on that device, which does not have it. */
export const isMissed = ({ effect }: Pick<LeftOut, 'effect'>): boolean => effect !== 'moot'

/** How many settings a device does not have as they were saved. */
export const missedOf = (all: readonly LeftOut[]): number => new Set(all.filter(isMissed).map(one => one.document)).size

import type change from '@/locales/en/change.json'
import type events from '@/locales/en/events.json'
import type importWords from '@/locales/en/import.json'

/** Ways to the texts in a table of words, by dots: `noRadio`, `radioWide.minRssi`. */
type TextIn<Words> = {
  [K in keyof Words & string]: Words[K] extends string ? K : `${K}.${TextIn<Words[K]>}`
}[keyof Words & string]

/** What a plan or a check of a device warns of. */
export type WarningCode = TextIn<(typeof change)['warnings']>
/** How a push would cut the manager's own way to a device. */
export type CutCode = TextIn<(typeof change)['cuts']>
/** Why a part of a device's own configuration is as `UnmanagedItem.state` says. */
export type UnmanagedWhy = TextIn<(typeof importWords)['why']>

type Behind<Code, Start extends string> = Code extends `${Start}.${infer Rest}` ? Rest : never
/** What a device needs to be set, and may lack. */
export type Need = Behind<WarningCode, 'needs'>
/** What of a port a profile may ask, and a device not be able to do. */
export type PortTrait = Behind<WarningCode, 'portCannot'>

/** What happened to a device, as its list of events says it. */
export type EventCode = keyof typeof events

import * as z from 'zod'
import { f } from '../fields'
import { rule, section, single } from '../kind'
import { placeFields } from '../place-fields'
import { type Band, isChannel, parts } from './channels'

/** Rule N11, dBm; absent: as much as is allowed. */
const power = () => f.int(1, 31, { unit: 'dBm', rule: 'N11' }).optional()

const fields = z.strictObject({
  /** Absent: the network's. */
  country: placeFields.country().optional(),
  /** 0: the radio chooses itself. */
  channel2g: f.int(0, 13, { band: '2g' }).default(0),
  width2g: f.choice(['20', '40']).default('20'),
  power2g: power(),
  /** IEEE 802.11b beside the newer ones. */
  oldRates: f.boolean().default(true),
  enabled2g: f.boolean().default(true),
  channel5g: f.int(0, 165, { band: '5g' }).default(0),
  width5g: f.choice(['20', '40', '80', '160']).default('80'),
  power5g: power(),
  enabled5g: f.boolean().default(true),
  channel6g: f.int(0, 233, { band: '6g' }).default(0),
  width6g: f.choice(['20', '40', '80', '160', '320']).default('80'),
  power6g: power(),
  enabled6g: f.boolean().default(true),
})
export type RadioFields = z.output<typeof fields>

/** What is set for one band. */
export const bandOf = (value: RadioFields, band: Band) => ({
  enabled: value[`enabled${band}`],
  channel: value[`channel${band}`],
  width: Number(value[`width${band}`]),
  power: value[`power${band}`],
})

const channelRules = (['5g', '6g'] as const).flatMap(band => [
  rule(`channel${band}`, `channel${band}`, (value: RadioFields) => {
    const { channel } = bandOf(value, band)
    return channel === 0 || isChannel(band, channel)
  }),
  rule('channelWidth', `width${band}`, (value: RadioFields) => {
    const { channel, width } = bandOf(value, band)
    return channel === 0 || !isChannel(band, channel) || parts(band, channel, width) !== undefined
  }),
])

/** A radio that is off has a channel all the same, for the day it is switched on. */
const inBand = (band: Band, more: readonly (keyof RadioFields)[] = []) =>
  section(`band${band}`, [`enabled${band}`, `channel${band}`, `width${band}`, `power${band}`, ...more])

/** How access points use the air: for the network, and where a group or one of them differs. */
export const radio = single({
  id: 'radio',
  area: 'wifi',
  fields,
  sections: [section('country', ['country']), inBand('2g', ['oldRates']), inBand('5g'), inBand('6g')],
  rules: channelRules,
})

import * as z from 'zod'
import { f } from '../fields'
import { rule, section, single } from '../kind'

// Those that need no radar detection (IEEE 802.11h): with it, a radio is silent for minutes before it says that it works.
const channels5g = [36, 40, 44, 48, 149, 153, 157, 161, 165]

const fields = z.strictObject({
  channel2g: f.int(1, 13).default(6),
  channel5g: f.int(36, 165).default(36),
})
export type RadioFields = z.output<typeof fields>

/** How access points use the air: for the network, and where a group or one of them differs. */
export const radio = single({
  id: 'radio',
  area: 'wifi',
  fields,
  sections: [section('channels', ['channel2g', 'channel5g'])],
  rules: [rule('channel5g', 'channel5g', (value: RadioFields) => channels5g.includes(value.channel5g))],
})

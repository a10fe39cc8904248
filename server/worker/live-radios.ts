import type { Radio } from '@/server/drivers/observation'
import type { LiveValues } from './live'

/** What of a radio a list shows. */
export type LiveRadio = Pick<Radio, 'band' | 'channel' | 'txPowerDbm'>

/** One value each in the live table; a device with more radios shows the first ones. */
export const radioFields = ['radio1', 'radio2', 'radio3', 'radio4'] as const

const bands = [undefined, '2g', '5g', '6g'] as const
// Digits of one number: band, three of the channel, four of the power in tenths of dBm above -100; nothing is 0.
const perBand = 1e7
const perChannel = 1e4
const powerZero = 1000

const inside = (value: number | undefined, most: number) =>
  value !== undefined && value >= 0 && value <= most ? value : 0

function packed({ band, channel, txPowerDbm }: LiveRadio): number {
  const power = txPowerDbm === undefined ? 0 : inside(Math.round(txPowerDbm * 10) + powerZero, perChannel - 1)
  return bands.indexOf(band) * perBand + inside(channel, 999) * perChannel + power
}

function unpacked(value: number): LiveRadio {
  const band = bands[Math.floor(value / perBand)]
  const channel = Math.floor((value % perBand) / perChannel)
  const power = value % perChannel
  return {
    ...(band && { band }),
    ...(channel > 0 && { channel }),
    ...(power > 0 && { txPowerDbm: (power - powerZero) / 10 }),
  }
}

/** Radios as values of the live table, lowest band first; places that are not needed become unknown. */
export function liveOfRadios(radios: readonly Radio[]): LiveValues {
  const order = [...radios].sort((a, b) => bands.indexOf(a.band) - bands.indexOf(b.band))
  return Object.fromEntries(
    radioFields.map((field, at) => {
      const radio = order[at]
      // One that is off sends on no channel, whatever it is set to.
      return [field, radio && packed(radio.up === false ? { band: radio.band } : radio)]
    }),
  )
}

/** What `liveOfRadios` put there; undefined where nobody told of radios. */
export function radiosOfLive(live: LiveValues): LiveRadio[] | undefined {
  const told = radioFields.flatMap(field => live[field] ?? [])
  return told.length > 0 ? told.map(unpacked) : undefined
}

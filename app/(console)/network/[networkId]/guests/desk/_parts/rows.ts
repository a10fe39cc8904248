import type { CallInput, CallOutput } from '@/app/_api/client'

export type DeskVoucher = CallOutput<'vouchers/desk/find'>['result'][number]
export type Preset = CallOutput<'vouchers/desk/presets'>['presets'][number]
export type Picture = NonNullable<CallOutput<'vouchers/desk/code'>['qr']>
/** A Wi-Fi network with the code that joins it. */
export type Join = CallOutput<'vouchers/desk/code'>['joins'][number]
export type Sold = CallOutput<'vouchers/desk/sell'>

/** What is pressed here; each has an id by which the manager does it once. */
export type ActName = 'sell' | 'extend' | 'add-time' | 'speed' | 'free' | 'void' | 'mail'
export type ActInput<Name extends ActName> = Omit<CallInput<`vouchers/desk/${Name}`>, 'act' | 'networkId'>

export type Act = {
  /** UUID of the press. */
  act: string
  name: ActName
  input: object
  /** Of what or for whom, as the list of those that wait says it. */
  about: string
}

export const aboutOf = ({ name, note, code }: DeskVoucher) => [note || name, code].filter(Boolean).join(', ')

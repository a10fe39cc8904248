'use client'
import { RateField } from '@/app/_ui/rate-field'
import { UnitField } from '@/app/_ui/unit-field'
import { dataUnits } from '@/model/rules'
import { type InputProps, typed } from './input-frame'

const textOf = ({ value }: InputProps) => (value === undefined ? undefined : String(value))

/** `8 Mbps`: a number and its unit. */
export const Rate = (props: InputProps) => <RateField {...typed(props)} value={textOf(props)} />

/** `500 MB`, likewise. */
export const DataAmount = (props: InputProps) => (
  <UnitField {...typed(props)} value={textOf(props)} units={dataUnits} usual="MB" digits={7} />
)

'use client'
import { RateField } from '@/app/_ui/rate-field'
import { type InputProps, typed } from './input-frame'

/** `8 Mbps`: a number and its unit. */
export function Rate(props: InputProps) {
  return <RateField {...typed(props)} value={props.value === undefined ? undefined : String(props.value)} />
}

'use client'
import { type QuantityProps, UnitField } from './unit-field'

/** `8 Mbps`: a number and its unit. */
export const RateField = (props: QuantityProps) => (
  <UnitField {...props} units={['Kbps', 'Mbps']} usual="Mbps" digits={3} />
)

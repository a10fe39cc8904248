'use client'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import type { Offer } from './offer'

// Seldom there: loaded once something is offered.
const Receipt = dynamic(async () => (await import('./offer-dialogs')).Receipt)
const TakeOver = dynamic(async () => (await import('./offer-dialogs')).TakeOver)

/** What other companies offer: networks to work in, and then one by one those that they hand over. */
export function Offers() {
  const may = useMay('organization_network_add')
  const { data } = useCall('networks/share/list', may ? {} : null, { live: true })
  const [later, setLater] = useState<readonly string[]>([])
  const waiting = data?.received.filter(offer => !later.includes(keyOf(offer))) ?? []
  const shares = waiting.filter(offer => offer.kind !== 'transfer')
  const transfer = waiting.find(offer => offer.kind === 'transfer')
  const put = (offers: readonly Offer[]) => setLater([...later, ...offers.map(keyOf)])
  if (shares.length > 0) return <Receipt key={shares.map(keyOf).join()} shares={shares} onLater={() => put(shares)} />
  if (transfer) return <TakeOver key={keyOf(transfer)} transfer={transfer} onLater={() => put([transfer])} />
  return null
}

/** One that is offered again is another. */
const keyOf = ({ networkId, at }: Offer) => `${networkId} ${at}`

'use client'
import { useEffect } from 'react'
import { callApi } from '@/app/_api/client'

/** What an address names that is no number is no network's either. */
const nobodys = Number.MAX_SAFE_INTEGER

/** Asks about the network in the address, which does not exist: the answer (20010) opens the one dialog for it. */
export function NetworkGone() {
  useEffect(() => {
    const named = Number(window.location.pathname.split('/')[2])
    const networkId = Number.isSafeInteger(named) && named > 0 ? named : nobodys
    void callApi('networks/switch', { networkId }, { quiet: true }).catch(() => undefined)
  }, [])
  return null
}

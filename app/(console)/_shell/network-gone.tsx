'use client'
import { useEffect } from 'react'
import { callApi } from '@/app/_api/client'

/** Asks about the network in the address, which does not exist: the answer (20010) opens the one dialog for it. */
export function NetworkGone() {
  useEffect(() => {
    const networkId = Number(window.location.pathname.split('/')[2])
    void callApi(
      'networks/switch',
      { networkId: Number.isSafeInteger(networkId) ? networkId : 0 },
      { quiet: true },
    ).catch(() => undefined)
  }, [])
  return null
}

'use client'
import { useNetworkCall } from '@/app/_api/use-call'
import { useLogins } from '@/app/_shared/adoption/login-list'

/** The network's stored logins in their order, and new ones: which go to the chosen devices. */
export function useLoginChoice() {
  const list = useNetworkCall('credentials/list', {}, { live: true })
  return useLogins(list.data?.result ?? [])
}

/** Errors of one device's logins as those of all: a call names a field by where it stood in its input. */
export const loginErrors = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([name, text]) => [name.replace(/^devices\.\d+\.(?=logins)/, ''), text]),
  )

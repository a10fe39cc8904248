'use client'
import { useRouter } from 'next/navigation'
import { callApi, whenRenewed } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'

export type Agreed = { overwrite: number[]; cut: number[] }
/** `without`: documents that stay as each device has them; `together`: all devices take it, or none keeps it. */
type Terms = Agreed & { without?: string[]; together?: boolean }

/** Starts a push and shows its course. Rejects when it is refused, which a toast has told. */
export function usePush(networkId: number) {
  const router = useRouter()
  const follow = async (jobId: string) => {
    await whenRenewed()
    router.push(`/network/${networkId}/settings/review?job=${jobId}`)
  }
  return {
    follow,
    push: async (deviceIds: number[], terms: Terms) =>
      follow((await callApi('devices/push', withNetwork({ deviceIds, ...terms }))).jobId),
    restore: async (deploymentId: string, agreed: Agreed) =>
      follow((await callApi('devices/config/restore', withNetwork({ deploymentId, ...agreed }))).jobId),
  }
}

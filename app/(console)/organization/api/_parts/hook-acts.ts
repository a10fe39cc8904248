import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { toast } from '@/app/_ui/toast'
import type { Asking } from './hook-dialogs'
import type { Hook } from './hook-rows'

/** What a row's menu does. */
export function useActs(ask: (asking: Asking) => void) {
  const t = useTranslations('webhooks')
  // Why one failed is told by a toast.
  const quietly = (work: () => Promise<unknown>) => void work().catch(() => undefined)
  return {
    edit: (row: Hook) => ask({ what: 'form', row }),
    rotate: (row: Hook) => ask({ what: 'rotate', row }),
    remove: (row: Hook) => ask({ what: 'delete', row }),
    turn: ({ id, name }: Hook, on: boolean) =>
      quietly(async () => {
        await callApi('webhooks/switch', { id, on })
        toast('ok', t(on ? 'turnedOn' : 'turnedOff', { name }))
      }),
    test: ({ id }: Hook) =>
      quietly(async () => {
        await callApi('webhooks/test', { id })
        toast('ok', t('tested'))
      }),
  }
}
export type Acts = ReturnType<typeof useActs>

'use client'
import { useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'

export type SeenKey = { address: string; name: string; hostKey?: string; problem?: string }

/** As `useKeyCheck` holds it. */
type Check = {
  keys: readonly SeenKey[] | undefined
  close: () => void
  accept: (keys: readonly SeenKey[]) => void
}

/** Shows who answered before anything secret is sent: the password goes only to keys that a person accepted. */
export function Fingerprints({ check: { keys, close, accept } }: { check: Check }) {
  const t = useTranslations('adoption.keys')
  const good = (keys ?? []).filter(key => key.hostKey !== undefined)
  return (
    <Dialog
      open={keys !== undefined}
      onClose={close}
      width="wide"
      title={t('title', { count: good.length })}
      footer={
        <>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button kind="primary" disabled={good.length === 0} onClick={() => accept(good)}>
            {t('accept', { count: good.length })}
          </Button>
        </>
      }
    >
      <p>{t('intro')}</p>
      <ul className="grid gap-2">
        {(keys ?? []).map(key => (
          <li key={key.address} className="grid">
            <span>
              <b>{key.name}</b> {key.name !== key.address && <span className="ip muted">{key.address}</span>}
            </span>
            {key.hostKey ? (
              <code className="ip fine-print break-all">{key.hostKey}</code>
            ) : (
              <span className="fine-print text-danger">{key.problem}</span>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

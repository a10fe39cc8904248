'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { ApiError } from '@/app/_api/client'
import { useFailureText } from '@/app/_api/words'
import { Button } from './button'
import { Icon, type IconName } from './icon'
import { Glyph } from './status'

/** A placeholder of the real layout; its size by style. */
export const Skeleton = ({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) => (
  <span className="skeleton" aria-hidden="true" style={{ inlineSize: width, blockSize: height }} />
)

const widths = ['92%', '76%', '84%', '60%', '70%', '52%', '66%', '44%']

/** Lines of a loading card, at most eight. */
export function SkeletonLines({ lines = 3 }: { lines?: number }) {
  const t = useTranslations('common')
  return (
    <div className="padded grid gap-3" role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {widths.slice(0, lines).map(width => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}

/** The room of something that is drawn: what comes below it does not move when it comes. */
export function SkeletonBlock({ height }: { height: number }) {
  const t = useTranslations('common')
  return (
    <div role="status">
      <span className="visually-hidden">{t('loading')}</span>
      <Skeleton height={height} />
    </div>
  )
}

type EmptyProps = { icon?: IconName; title: ReactNode; children?: ReactNode; slim?: boolean }

/** Nothing here: one sentence why, and one action. */
export const EmptyState = ({ icon, title, children, slim }: EmptyProps) => (
  <div className={slim ? 'empty slim' : 'empty'}>
    {icon && <Icon name={icon} />}
    <b className="medium">{title}</b>
    {children}
  </div>
)

/** A part that failed: reason, request id, try again. The rest of the page lives on. */
export function ErrorState({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  const t = useTranslations('common')
  const text = useFailureText()
  return (
    <div className="empty" role="alert">
      <span className="status bad">
        <Glyph shape="octagon" />
      </span>
      <b className="medium">{text(error)}</b>
      {error.requestId && <span className="fine-print">{t('requestId', { id: error.requestId })}</span>}
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  )
}

type LoadedProps<T> = {
  call: { data: T | undefined; error: ApiError | undefined; mutate: () => unknown }
  lines?: number
  /** What stands there meanwhile, as large as what comes; else some lines. */
  waiting?: ReactNode
  children: (data: T) => ReactNode
}

/** A part that waits for one call: skeleton, error with "try again", or the content. */
export function Loaded<T>({ call, lines, waiting, children }: LoadedProps<T>) {
  if (call.data !== undefined) return children(call.data)
  if (call.error) return <ErrorState error={call.error} onRetry={() => call.mutate()} />
  return waiting ?? <SkeletonLines lines={lines} />
}

'use client'
import * as Radix from '@radix-ui/react-dialog'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from './button'
import { TextField } from './field'
import { Glyph } from './status'

type LayerProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  footer?: ReactNode
}

function Layer({ open, onClose, title, children, footer, className }: LayerProps & { className: string }) {
  const t = useTranslations('common')
  return (
    <Radix.Root open={open} onOpenChange={next => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content className={className} aria-describedby={undefined}>
          <header>
            <Radix.Title>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton kind="ghost" small icon="close" label={t('close')} />
            </Radix.Close>
          </header>
          <div className="body">{children}</div>
          {footer !== undefined && <footer>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const widths = { normal: '', wide: ' wide', vast: ' vast' }

/** Title is the question; the footer's buttons are verbs, the safe one first. */
export const Dialog = ({ width = 'normal', ...rest }: LayerProps & { width?: keyof typeof widths }) => (
  <Layer {...rest} className={`dialog${widths[width]}`} />
)

type ConfirmProps = {
  open: boolean
  onClose: () => void
  title: string
  children?: ReactNode
  /** What will happen, one sentence each. */
  consequences?: readonly string[]
  /** Hard to undo: this name must be typed first. */
  typeName?: string
  /** The verb. */
  action: string
  danger?: boolean
  onConfirm: () => Promise<unknown> | unknown
}

/** Asks before something that cuts people off or cannot be undone. Stays open while it runs, and when it fails. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, onClose, title, children, consequences = [], typeName, action, danger, onConfirm } = props
  const t = useTranslations('common')
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const close = () => {
    setTyped('')
    onClose()
  }
  const run = async () => {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch {
      // The failure is told by a toast; the question stays so that it can be tried again.
    } finally {
      setBusy(false)
    }
  }
  const footer = (
    <>
      <Button onClick={close}>{t('cancel')}</Button>
      <Button
        kind={danger ? 'solidDanger' : 'primary'}
        busy={busy}
        disabled={typeName !== undefined && typed.trim() !== typeName}
        onClick={run}
      >
        {action}
      </Button>
    </>
  )
  return (
    <Dialog open={open} onClose={close} title={title} footer={footer}>
      {children}
      {consequences.length > 0 && (
        <ul className="consequences">
          {consequences.map(text => (
            <li key={text}>
              <span className="st warn">
                <Glyph shape="triangle" />
              </span>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {typeName !== undefined && (
        <TextField label={t('typeName', { name: typeName })} value={typed} onChange={setTyped} autoComplete="off" />
      )}
    </Dialog>
  )
}

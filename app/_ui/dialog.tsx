'use client'
import * as Radix from '@radix-ui/react-dialog'
import { useTranslations } from 'next-intl'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { whenRenewed } from '@/app/_api/client'
import { useFieldErrors } from '@/app/_api/words'
import { Button, IconButton } from './button'
import { TextField } from './field'
import { useLeaveGuard } from './leaving'
import { Glyph } from './status'
import { isOfToasts } from './toast'

type LayerProps = {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** Id of what gets the focus when it closes; else what had it before. */
  focusAfter?: string
}

function Layer({ open, onClose, title, children, footer, focusAfter, className }: LayerProps & { className: string }) {
  const t = useTranslations('common')
  return (
    <Radix.Root open={open} onOpenChange={next => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={className}
          aria-describedby={undefined}
          onCloseAutoFocus={event => {
            if (focusAfter === undefined) return
            event.preventDefault()
            document.getElementById(focusAfter)?.focus()
          }}
          onInteractOutside={event => isOfToasts(event.detail.originalEvent) && event.preventDefault()}
        >
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

/** Asked before what is typed and not saved is left; `leave` goes on, and is there while it is asked. */
export function LeaveQuestion({ leave, stay }: { leave: (() => void) | undefined; stay: () => void }) {
  const t = useTranslations('common')
  const go = () => {
    stay()
    leave?.()
  }
  const footer = (
    <>
      <Button onClick={stay}>{t('cancel')}</Button>
      <Button kind="solidDanger" onClick={go}>
        {t('leave.action')}
      </Button>
    </>
  )
  return (
    <Dialog open={leave !== undefined} onClose={stay} title={t('leave.title')} footer={footer}>
      <p>{t('leave.text')}</p>
    </Dialog>
  )
}

type Errors = Readonly<Record<string, string>>

type ConfirmProps = {
  open: boolean
  /** `done` when what was asked for has happened. */
  onClose: (done: boolean) => void
  title: string
  /** What it is about, in a sentence or two. */
  help?: ReactNode
  /** Fields and the like; as a function they get what a refused call says of its fields. */
  children?: ReactNode | ((errors: Errors) => ReactNode)
  /** What will happen, one sentence each. */
  consequences?: readonly string[]
  /** Hard to undo: this name must be typed first. */
  typeName?: string
  /** The verb. */
  action: string
  danger?: boolean
  /** Something that is needed is still missing. */
  disabled?: boolean
  /** May answer `stay`: done, and there is more to read or to choose. */
  onConfirm: () => unknown
}

/** Runs the work of a dialog. A failure is told by a toast and at the fields; the question stays, to be tried again. */
function useWork(onConfirm: ConfirmProps['onConfirm'], onSent: () => void, onDone: () => void) {
  const errorsOf = useFieldErrors()
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    setErrors({})
    try {
      const answer = await onConfirm()
      onSent()
      if (answer === 'stay') return
      // The page behind it shows what was done.
      await whenRenewed()
      onDone()
    } catch (error) {
      setErrors(errorsOf(error))
    } finally {
      setBusy(false)
    }
  }
  /** What was refused is being mended: its message is no longer true. */
  const mend = (event: FormEvent) => {
    if ((event.target as Element).getAttribute('aria-invalid')) setErrors({})
  }
  return { errors, busy, run, mend }
}

/** Typed to find something or to prove who one is: nothing that would be lost. */
const noWork = '[type="search"], [role="combobox"], [type="password"]'

/** Whether something was typed into the fields of an open dialog. */
function useTyped(open: boolean) {
  const [typed, setTyped] = useState(false)
  useEffect(() => {
    if (!open) setTyped(false)
  }, [open])
  const note = ({ target }: FormEvent) => setTyped(now => now || !(target as Element).matches(noWork))
  return { typed: open && typed, note, forget: () => setTyped(false) }
}

/** Asks before something that cuts people off or cannot be undone, or for what a piece of work needs. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, onClose, title, help, children, consequences = [], typeName, action, danger, disabled } = props
  const t = useTranslations('common')
  const form = useId()
  const [typed, setTyped] = useState('')
  const close = (done: boolean) => {
    setTyped('')
    onClose(done)
  }
  const fields = useTyped(open && children !== undefined)
  const { errors, busy, run, mend } = useWork(props.onConfirm, fields.forget, () => close(true))
  const guard = useLeaveGuard({ on: fields.typed, busy })
  /** Without the button that says so: a slip of the hand. */
  const closeBySlip = () => (fields.typed && !busy ? guard.ask(() => close(false)) : close(false))
  const missing = disabled || (typeName !== undefined && typed.trim() !== typeName)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dialog opened out of a form is inside of it for React.
    event.stopPropagation()
    if (!busy && !missing) void run()
  }
  const footer = (
    <>
      <Button onClick={() => close(false)}>{t('cancel')}</Button>
      <Button type="submit" form={form} kind={danger ? 'solidDanger' : 'primary'} busy={busy} disabled={missing}>
        {action}
      </Button>
    </>
  )
  return (
    <Dialog open={open} onClose={closeBySlip} title={title} footer={footer}>
      <form
        id={form}
        className="contents"
        onSubmit={submit}
        onInput={event => {
          mend(event)
          fields.note(event)
        }}
        noValidate
      >
        {help && <p className="soft">{help}</p>}
        {typeof children === 'function' ? children(errors) : children}
        {consequences.length > 0 && <Consequences sentences={consequences} />}
        {typeName !== undefined && (
          <TextField label={t('typeName', { name: typeName })} value={typed} onChange={setTyped} autoComplete="off" />
        )}
      </form>
      <LeaveQuestion {...guard} />
    </Dialog>
  )
}

const Consequences = ({ sentences }: { sentences: readonly string[] }) => (
  <ul className="consequences">
    {sentences.map(text => (
      <li key={text}>
        <span className="status warn">
          <Glyph shape="triangle" />
        </span>
        <span>{text}</span>
      </li>
    ))}
  </ul>
)

import type { ComponentProps, ReactNode } from 'react'
import { Link } from '@/app/_ui/link'
import { Icon, type IconName } from './icon'

export type ButtonKind = 'plain' | 'primary' | 'ghost' | 'danger' | 'solidDanger'
const kinds: Record<ButtonKind, string> = {
  plain: '',
  primary: 'primary',
  ghost: 'ghost',
  danger: 'bad',
  solidDanger: 'solid-bad',
}

type Look = { kind?: ButtonKind; small?: boolean; wide?: boolean; icon?: IconName; className?: string }
const classOf = ({ kind = 'plain', small, wide, className }: Look, bare = false) =>
  ['button', kinds[kind], small && 'small', wide && 'wide', bare && 'icon-only', className].filter(Boolean).join(' ')

export type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & Look & { busy?: boolean }

/** `busy` shows that it runs and takes no second press, without losing the keyboard's place. */
export function Button({ kind, small, wide, icon, className, busy, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classOf({ kind, small, wide, className })}
      aria-busy={busy || undefined}
      onClick={busy ? event => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <BusyMark /> : icon && <Icon name={icon} size={small ? 'sm' : undefined} />}
      {children}
    </button>
  )
}

/** Something is under way. */
export const BusyMark = () => (
  <svg className="icon" viewBox="0 0 12 12" aria-hidden="true">
    <g className="spin">
      <path d="M6 1.800A4.200 4.200 0 0 1 10.200 6" />
    </g>
  </svg>
)

type IconButtonProps = Omit<ComponentProps<'button'>, 'className'> &
  Look & { icon: IconName; label: string; flip?: boolean }

export function IconButton({ icon, label, flip, kind, small, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classOf({ kind, small, className }, true)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} size={small ? 'sm' : undefined} flip={flip} />
    </button>
  )
}

type LinkButtonProps = Look & { href: string; children: ReactNode }

/** A link that looks like a button: it leads somewhere. */
export const LinkButton = ({ href, children, icon, ...look }: LinkButtonProps) => (
  <Link className={classOf(look)} href={href}>
    {icon && <Icon name={icon} size={look.small ? 'sm' : undefined} />}
    {children}
  </Link>
)

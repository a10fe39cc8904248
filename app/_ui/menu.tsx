'use client'
import * as Drop from '@radix-ui/react-dropdown-menu'
import * as Pop from '@radix-ui/react-popover'
import * as Tip from '@radix-ui/react-tooltip'
import type { ReactNode } from 'react'
import { Link } from '@/app/_ui/link'
import { Icon, type IconName } from './icon'

export type MenuAction = {
  label: string
  icon?: IconName
  onSelect?: () => void
  href?: string
  danger?: boolean
  disabled?: boolean
  /** One of a set: shows a tick when it holds. */
  checked?: boolean
  trail?: ReactNode
}
export type MenuGroup = { title?: ReactNode; actions: readonly MenuAction[] }

function Item({ label, icon, onSelect, href, danger, disabled, checked, trail }: MenuAction) {
  const inside = (
    <>
      {icon && <Icon name={icon} size="sm" />}
      <span className="truncated">{label}</span>
      {checked && <Icon name="check" className="tick" />}
      {trail !== undefined && <span className="trail">{trail}</span>}
    </>
  )
  const className = danger ? 'menu-item bad' : 'menu-item'
  if (href)
    return (
      <Drop.Item asChild disabled={disabled}>
        <Link className={className} href={href}>
          {inside}
        </Link>
      </Drop.Item>
    )
  if (checked !== undefined)
    return (
      <Drop.CheckboxItem className={className} checked={checked} disabled={disabled} onSelect={onSelect}>
        {inside}
      </Drop.CheckboxItem>
    )
  return (
    <Drop.Item className={className} disabled={disabled} onSelect={onSelect}>
      {inside}
    </Drop.Item>
  )
}

/** A button's menu. `trigger` is the button. */
export function Menu({
  trigger,
  groups,
  align = 'end',
}: {
  trigger: ReactNode
  groups: readonly MenuGroup[]
  align?: 'start' | 'end'
}) {
  return (
    <Drop.Root modal={false}>
      <Drop.Trigger asChild>{trigger}</Drop.Trigger>
      <Drop.Portal>
        <Drop.Content className="popover menu" align={align} sideOffset={5} collisionPadding={8}>
          {groups
            .filter(group => group.actions.length > 0 || group.title !== undefined)
            .map((group, index) => (
              <Drop.Group key={group.actions[0]?.label ?? 'title'}>
                {index > 0 && <hr />}
                {group.title !== undefined && <Drop.Label className="head">{group.title}</Drop.Label>}
                {group.actions.map(action => (
                  <Item key={action.label} {...action} />
                ))}
              </Drop.Group>
            ))}
        </Drop.Content>
      </Drop.Portal>
    </Drop.Root>
  )
}

type PopoverProps = {
  trigger: ReactNode
  children: ReactNode
  open?: boolean
  onOpen?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  className?: string
  label?: string
  /** Keeps the focus where it is, e.g. in a search box above a list. */
  keepFocus?: boolean
}

/** A panel at its button: pickers, column choosers, port cards. */
export function Popover({
  trigger,
  children,
  open,
  onOpen,
  align = 'start',
  className,
  label,
  keepFocus,
}: PopoverProps) {
  return (
    <Pop.Root open={open} onOpenChange={onOpen}>
      <Pop.Trigger asChild>{trigger}</Pop.Trigger>
      <Pop.Portal>
        <Pop.Content
          className={`popover ${className ?? 'popover-text'}`}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          onOpenAutoFocus={keepFocus ? event => event.preventDefault() : undefined}
        >
          {children}
        </Pop.Content>
      </Pop.Portal>
    </Pop.Root>
  )
}

/** Says more after 400 ms; never the only place of a fact. `side`: beside its place, not above. */
export function Tooltip({ text, children, side }: { text: ReactNode; children: ReactNode; side?: boolean }) {
  return (
    <Tip.Provider delayDuration={400}>
      <Tip.Root>
        <Tip.Trigger asChild>{children}</Tip.Trigger>
        <Tip.Portal>
          <Tip.Content className="tooltip" side={side ? 'right' : undefined} sideOffset={6} collisionPadding={8}>
            {text}
          </Tip.Content>
        </Tip.Portal>
      </Tip.Root>
    </Tip.Provider>
  )
}

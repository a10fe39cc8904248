'use client'
import * as Select from '@radix-ui/react-select'
import { useTranslations } from 'next-intl'
import type { Option } from './check'
import { Field, type FieldFrame } from './field'
import { Icon } from './icon'

type Props = FieldFrame & {
  value: string
  onChange: (value: string) => void
  options: readonly Option[]
  disabled?: boolean
  placeholder?: string
}

/** One of a handful up to a few dozen; longer lists take `ComboField`. */
export function SelectField({ value, onChange, options, disabled, placeholder, ...frame }: Props) {
  const t = useTranslations('common.field')
  return (
    <Field {...frame}>
      {wired => (
        <Select.Root value={value} onValueChange={onChange} disabled={disabled}>
          <Select.Trigger {...wired}>
            <span className="truncated">
              <Select.Value placeholder={<span className="placeholder">{placeholder ?? t('choose')}</span>} />
            </span>
            <Icon name="down" size="sm" className="end" />
          </Select.Trigger>
          <Select.Portal>
            <Select.Content
              className="popover list"
              position="popper"
              sideOffset={4}
              collisionPadding={8}
              style={listWidth}
            >
              <Select.Viewport>
                {options.map(o => (
                  <Select.Item key={o.value} className="menu-item" value={o.value} disabled={o.disabled}>
                    <Select.ItemText>{o.label}</Select.ItemText>
                    <Select.ItemIndicator className="tick">
                      <Icon name="check" className="tick" />
                    </Select.ItemIndicator>
                  </Select.Item>
                ))}
              </Select.Viewport>
            </Select.Content>
          </Select.Portal>
        </Select.Root>
      )}
    </Field>
  )
}

const listWidth = { minInlineSize: 'var(--radix-select-trigger-width)' }

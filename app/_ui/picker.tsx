'use client'
import { Button } from './button'
import { Icon } from './icon'
import { Menu } from './menu'
import type { Table } from './use-table'

export type Choice = { value: string; label: string }
export type PickProps = {
  table: Table
  filter: string
  label: string
  all: string
  choices: readonly Choice[]
  /** Where it is not only the one filter that is chosen. */
  chosen?: string
  onChoose?: (value: string) => void
}

/** A filter of a list, as a button that says what is chosen and opens the choices. */
export function Picker({ table, filter, label, all, choices, ...own }: PickProps) {
  const { filters } = table.state
  const chosen = own.chosen ?? filters[filter] ?? ''
  const choose = own.onChoose ?? ((value: string) => table.change({ filters: { [filter]: value } }))
  const found = choices.find(choice => choice.value === chosen)
  return (
    <Menu
      align="start"
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {found?.label ?? label}
          <Icon name="down" size="sm" />
        </Button>
      }
      groups={[
        { actions: [{ label: all, checked: !chosen, onSelect: () => choose('') }] },
        {
          actions: choices.map(choice => ({
            label: choice.label,
            checked: choice.value === chosen,
            onSelect: () => choose(choice.value),
          })),
        },
      ]}
    />
  )
}

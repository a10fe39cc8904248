'use client'
import { useState } from 'react'
import { Button } from './button'
import type { Option } from './check'
import { Icon } from './icon'
import { type Asked, SearchList } from './listbox'
import { Popover } from './menu'
import type { Table } from './use-table'

type Props = {
  table: Table
  filter: string
  label: string
  all: string
  options: readonly Option[]
  /** With the words of what is chosen, which need not be among the options. */
  asked: Asked & { chosen: readonly Option[] }
  onChosen?: (value: string) => void
}

/** A filter of a list by one of too many to have them all here: a button that says what is chosen and opens a search. */
export function SearchPicker({ table, filter, label, all, options, asked, onChosen }: Props) {
  const [open, setOpen] = useState(false)
  const chosen = table.state.filters[filter] ?? ''
  const put = (next: boolean) => {
    if (!next) asked.onTyped('')
    setOpen(next)
  }
  const choose = (value: string) => {
    put(false)
    onChosen?.(value)
    table.change({ filters: { [filter]: value === chosen ? '' : value } })
  }
  const found = [...asked.chosen, ...options].find(one => one.value === chosen)
  return (
    <Popover
      open={open}
      onOpen={put}
      className="list"
      label={label}
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {found?.label ?? label}
          <Icon name="down" size="sm" />
        </Button>
      }
    >
      <SearchList
        label={label}
        options={options}
        chosen={[chosen]}
        onChoose={choose}
        asked={asked}
        top={
          <button type="button" className="menu-item" onClick={() => choose('')}>
            {all}
          </button>
        }
      />
    </Popover>
  )
}

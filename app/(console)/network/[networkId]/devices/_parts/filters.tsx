'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Menu, Popover } from '@/app/_ui/menu'
import { Glyph, Status, states } from '@/app/_ui/status'
import { everyNode } from '@/app/_ui/tree'
import { TreeList } from '@/app/_ui/tree-list'
import type { Table } from '@/app/_ui/use-table'
import type { DeviceState } from '@/model/device-state'
import { kindIcon, shapeOfState } from './device-state'
import { useGroupPath } from './use-group-path'

type Counts = CallOutput<'devices/list'>['counts']

/** Sets one filter and keeps the others. */
const filter = (table: Table, key: string, value: string) => table.change({ filters: { [key]: value } })

/** Always shown, in this order: which states there are is told even where no device is in them. */
const always = ['online', 'offline', 'paired'] as const
const sometimes = ['silent', 'unpaired'] as const
/** As the list's address says it. */
const chipValues: Record<DeviceState, string> = {
  online: '1',
  silent: 'silent',
  offline: '0',
  paired: '3',
  unpaired: '2',
}

/** What the list is asked for by it: a device that counts as online and does not answer has a chip of its own. */
export const statusFilter = (chosen: string) =>
  chosen === chipValues.online || chosen === chipValues.silent
    ? { status: [1], silent: chosen === chipValues.silent }
    : chosen !== '' && { status: [Number(chosen)] }

type ChipProps = { table: Table; counts: Counts | undefined; modified: number | undefined }

/** How many devices are in which state; one press filters by it. `modified`: how many something saved waits for. */
export function StateChips({ table, counts, modified }: ChipProps) {
  const t = useTranslations('devices')
  const { status: chosen = '', modified: waits = '' } = table.state.filters
  const choose = (status: string, waiting = '') => table.change({ filters: { status, modified: waiting } })
  const router = useRouter()
  const path = useGroupPath()
  const mayAdd = useMay('devices_edit')
  const isShown = (state: (typeof sometimes)[number]) =>
    chosen === chipValues[state] || ((counts?.[state] ?? 0) > 0 && (state !== 'unpaired' || mayAdd))
  const shown: DeviceState[] = [...always, ...sometimes.filter(isShown)]
  return (
    <fieldset className="state-bar" aria-label={t('chips.label')}>
      <button type="button" aria-pressed={chosen === '' && waits === ''} onClick={() => choose('')}>
        {t('chips.all')} <span className="tally">{counts?.all}</span>
      </button>
      {shown.map(state => {
        const value = chipValues[state]
        const [shape, tone] = states[shapeOfState(state)]
        return (
          <button
            key={state}
            type="button"
            aria-pressed={chosen === value}
            // What was found and not adopted is listed where it is adopted.
            onClick={() => (state === 'unpaired' ? router.push(`${path.list}/form`) : choose(value))}
          >
            <span className={`status ${tone}`}>
              <Glyph shape={shape} />
            </span>
            {t(`chips.${state}`)} <span className="tally">{counts?.[state] ?? 0}</span>
          </button>
        )
      })}
      <button type="button" aria-pressed={waits !== ''} onClick={() => choose('', '1')}>
        <Status state="modified" />
        {t('chips.modified')} <span className="tally">{modified}</span>
      </button>
    </fieldset>
  )
}

export const kinds = ['gateway', 'firewall', 'switch', 'ap', 'other'] as const

/** The pseudo group of all devices (specification 1-console.md section 3). */
const everyGroup = '-999'

/** Type and group as menus beside the search box. */
export function Filters({ table }: { table: Table }) {
  const t = useTranslations('devices')
  const tree = useNetworkCall('groups/tree', {}, { live: true })
  const path = useGroupPath()
  const mayGroup = useMay('devices_group_add')
  const [open, setOpen] = useState(false)
  const { kind = '', group = '' } = table.state.filters
  const groups = [
    { id: Number(everyGroup), name: t('filter.anyGroup'), children: [] },
    { id: -1, name: t('filter.noGroup'), children: [] },
    ...(tree.data?.result ?? []),
  ]
  const chosenGroup = group ? everyNode(groups).find(one => String(one.id) === group) : undefined
  return (
    <>
      <Menu
        align="start"
        trigger={
          <Button className={kind ? 'on' : undefined}>
            {kind ? t(`kind.${kind as 'ap'}`) : t('filter.kind')}
            <Icon name="down" size="sm" />
          </Button>
        }
        groups={[
          {
            actions: [{ label: t('filter.anyKind'), checked: kind === '', onSelect: () => filter(table, 'kind', '') }],
          },
          {
            actions: kinds.map(one => ({
              label: t(`kind.${one}`),
              icon: kindIcon(one),
              checked: kind === one,
              onSelect: () => filter(table, 'kind', one),
            })),
          },
        ]}
      />
      <Popover
        open={open}
        onOpen={setOpen}
        className="list"
        trigger={
          <Button className={group ? 'on' : undefined}>
            {chosenGroup?.name ?? t('filter.group')}
            <Icon name="down" size="sm" />
          </Button>
        }
      >
        <TreeList
          label={t('filter.group')}
          tree={groups}
          chosen={group || everyGroup}
          onChoose={next => {
            setOpen(false)
            filter(table, 'group', next === everyGroup ? '' : next)
          }}
        />
        {mayGroup && (
          <>
            <hr />
            <Link className="menu-item" href={path.form}>
              <Icon name="folder" size="sm" />
              {t('filter.manage')}
            </Link>
          </>
        )}
      </Popover>
    </>
  )
}

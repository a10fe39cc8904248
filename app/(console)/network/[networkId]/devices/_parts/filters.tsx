'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { flatten } from '@/app/_ui/combo-field'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { Glyph, type StateName, states } from '@/app/_ui/status'
import type { Table } from '@/app/_ui/use-table'
import { useGroupPath } from '../group/_parts/use-group-path'
import { kindIcon, statusName } from './device-state'

type Counts = CallOutput<'devices/list'>['counts']
const shapes: Record<string, StateName> = { online: 'online', paired: 'queued', offline: 'offline' }

/** Sets one filter and keeps the others. */
const filter = (table: Table, key: string, value: string) => table.change({ filters: { [key]: value } })

const chipStates = [1, 3, 0, 2]

/** How many devices are in which state; one press filters by it. */
export function StateChips({ table, counts }: { table: Table; counts: Counts | undefined }) {
  const t = useTranslations('devices')
  const chosen = table.state.filters.status ?? ''
  const shown = chipStates.filter(status => (counts?.[statusName(status)] ?? 0) > 0 || chosen === String(status))
  return (
    <fieldset className="state-bar" aria-label={t('chips.label')}>
      <button type="button" aria-pressed={chosen === ''} onClick={() => filter(table, 'status', '')}>
        {t('chips.all')} <span className="tally">{counts?.all}</span>
      </button>
      {shown.map(status => {
        const name = statusName(status)
        const [shape, tone] = states[shapes[name] ?? 'unknown']
        return (
          <button
            key={status}
            type="button"
            aria-pressed={chosen === String(status)}
            onClick={() => filter(table, 'status', String(status))}
          >
            <span className={`status ${tone}`}>
              <Glyph shape={shape} />
            </span>
            {t(`chips.${name as 'online'}`)} <span className="tally">{counts?.[name] ?? 0}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

export const kinds = ['gateway', 'firewall', 'switch', 'ap', 'other'] as const

/** Type and group as menus beside the search box. */
export function Filters({ table }: { table: Table }) {
  const t = useTranslations('devices')
  const tree = useNetworkCall('groups/tree', {}, { live: true })
  const path = useGroupPath()
  const mayGroup = useMay('devices_group_add')
  const groups = flatten(tree.data?.result ?? [])
  const { kind = '', group = '' } = table.state.filters
  const chosenGroup = groups.find(one => one.value === group)
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
      <Menu
        align="start"
        trigger={
          <Button className={group ? 'on' : undefined}>
            {chosenGroup?.label ?? t('filter.group')}
            <Icon name="down" size="sm" />
          </Button>
        }
        groups={[
          {
            actions: [
              { label: t('filter.anyGroup'), checked: group === '', onSelect: () => filter(table, 'group', '') },
              { label: t('filter.noGroup'), checked: group === '-1', onSelect: () => filter(table, 'group', '-1') },
            ],
          },
          {
            actions: groups.map(one => ({
              label: one.label,
              trail: one.help,
              checked: one.value === group,
              onSelect: () => filter(table, 'group', one.value),
            })),
          },
          { actions: mayGroup ? [{ label: t('filter.manage'), icon: 'folder', href: path.form }] : [] },
        ]}
      />
    </>
  )
}

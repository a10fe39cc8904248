import { useTranslations } from 'next-intl'
import { Button } from '@/app/_ui/button'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { Glyph, states } from '@/app/_ui/status'
import type { Table } from '@/app/_ui/use-table'
import { type GuestMethod, guestMethods } from '@/model/guests/methods'
import { type Listed, methodOf, stateChips } from './rows'

const filter = (table: Table, key: 'state' | 'method', value: string) => table.change({ filters: { [key]: value } })

/** How many are in, were, or were refused; one press filters by it. */
export function StateChips({ table, counts }: { table: Table; counts: Listed['counts'] | undefined }) {
  const t = useTranslations('guests')
  const chosen = table.state.filters.state ?? ''
  const all = counts && counts.in + counts.was + counts.failed
  return (
    <fieldset className="state-bar" aria-label={t('columns.state')}>
      <button type="button" aria-pressed={chosen === ''} onClick={() => filter(table, 'state', '')}>
        {t('states.all')} <span className="tally">{all}</span>
      </button>
      {stateChips.map(([name, code, look]) => {
        const [shape, tone] = states[look]
        return (
          <button
            key={name}
            type="button"
            aria-pressed={chosen === String(code)}
            onClick={() => filter(table, 'state', String(code))}
          >
            <span className={`status ${tone}`}>
              <Glyph shape={shape} />
            </span>
            {t(`states.${name}`)} <span className="tally">{counts?.[name]}</span>
          </button>
        )
      })}
    </fieldset>
  )
}

export function MethodFilter({ table }: { table: Table }) {
  const t = useTranslations('guests')
  const chosen = methodOf(Number(table.state.filters.method || Number.NaN))
  return (
    <Menu
      align="start"
      trigger={
        <Button className={chosen ? 'on' : undefined}>
          {chosen ? t(`methods.${chosen}`) : t('columns.method')}
          <Icon name="down" size="sm" />
        </Button>
      }
      groups={[
        { actions: [{ label: t('anyMethod'), checked: !chosen, onSelect: () => filter(table, 'method', '') }] },
        {
          actions: (Object.keys(guestMethods) as GuestMethod[]).map(name => ({
            label: t(`methods.${name}`),
            checked: name === chosen,
            onSelect: () => filter(table, 'method', String(guestMethods[name])),
          })),
        },
      ]}
    />
  )
}

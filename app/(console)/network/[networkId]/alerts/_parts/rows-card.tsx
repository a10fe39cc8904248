'use client'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import type { IconName } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { EmptyState, Loaded } from '@/app/_ui/states'

type Asking<R> = { what: 'form'; row?: R } | { what: 'delete'; row: R } | undefined

type List = { result: readonly { id: string | number }[] }
type RowOf<D extends List> = D['result'][number]

type Props<D extends List> = {
  /** In the words of what the card lists. */
  t: (key: 'title' | 'add' | 'empty' | 'edit' | 'delete' | 'more') => string
  icon: IconName
  call: ComponentProps<typeof Loaded<D>>['call']
  may: boolean
  nameOf: (row: RowOf<D>) => string
  /** One that cannot be read can only be deleted. */
  isDamaged?: (row: RowOf<D>) => boolean
  children: (row: RowOf<D>) => ReactNode
  /** Without a row a new one. */
  form: (answer: D, row: RowOf<D> | undefined, close: () => void) => ReactNode
  deletion: (row: RowOf<D>, close: () => void) => ReactNode
}

/** A few things of one sort, each made and changed in a dialog. */
export function RowsCard<D extends List>(props: Props<D>) {
  const { t, call, may } = props
  const [asking, setAsking] = useState<Asking<RowOf<D>>>()
  const close = () => setAsking(undefined)
  return (
    <Card
      title={t('title')}
      meta={
        may && (
          <Button small icon="plus" onClick={() => setAsking({ what: 'form' })}>
            {t('add')}
          </Button>
        )
      }
    >
      <Loaded call={call} lines={3}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState icon={props.icon} title={t('empty')} />
          ) : (
            <ul className="padded stack">
              {result.map(row => (
                <li key={row.id} className="row" style={{ alignItems: 'flex-start' }}>
                  <div className="grow">{props.children(row)}</div>
                  {may && <RowMenu {...props} row={row} ask={setAsking} />}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {asking?.what === 'form' && call.data && props.form(call.data, asking.row, close)}
      {asking?.what === 'delete' && props.deletion(asking.row, close)}
    </Card>
  )
}

type RowMenuProps<D extends List> = Pick<Props<D>, 't' | 'nameOf' | 'isDamaged'> & {
  row: RowOf<D>
  ask: (asking: Asking<RowOf<D>>) => void
}

function RowMenu<D extends List>({ t, nameOf, isDamaged, row, ask }: RowMenuProps<D>) {
  const edit = { label: t('edit'), icon: 'edit', onSelect: () => ask({ what: 'form', row }) } as const
  const end = { label: t('delete'), icon: 'trash', danger: true, onSelect: () => ask({ what: 'delete', row }) } as const
  return (
    <Menu
      trigger={<IconButton small kind="ghost" icon="more" label={`${t('more')}: ${nameOf(row)}`} />}
      groups={[...(isDamaged?.(row) ? [] : [{ actions: [edit] }]), { actions: [end] }]}
    />
  )
}

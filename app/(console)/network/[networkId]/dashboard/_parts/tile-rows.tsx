'use client'
import { useTranslations } from 'next-intl'
import { Check, Segments } from '@/app/_ui/check'
import { Grip, useRowOrder } from '@/app/_ui/row-order'
import { sizesOf, type Tile, type TileSize } from '@/model/dashboard/tiles'

export type TileRow = Tile & { shown: boolean }

type Props = { rows: readonly TileRow[]; onRows: (rows: TileRow[]) => void }

/** Every tile there is: shown or not, its width, and its place. */
export function TileRows({ rows, onRows }: Props) {
  const t = useTranslations('dashboard.form')
  const order = useRowOrder(
    rows,
    one => one.id,
    async keys => onRows(keys.flatMap(key => rows.find(one => one.id === key) ?? [])),
  )
  const put = (id: TileRow['id'], change: Partial<TileRow>) =>
    onRows(rows.map(one => (one.id === id ? { ...one, ...change } : one)))
  return (
    <>
      <table className="data-table plain tile-rows" aria-label={t('title')}>
        <thead>
          <tr>
            <th>
              <span className="visually-hidden">{t('order')}</span>
            </th>
            <th>
              <span className="visually-hidden">{t('shown')}</span>
            </th>
            <th>{t('tile')}</th>
            <th>{t('size')}</th>
          </tr>
        </thead>
        <tbody>
          {order.rows?.map(({ id, size, shown }) => {
            const name = t(`tiles.${id}.name`)
            return (
              <tr key={id} data-row={id} className={order.moving === id ? 'moving' : undefined}>
                <td className="grip-cell">
                  <Grip {...order.grip(id)} />
                </td>
                <td>
                  <Check
                    checked={shown}
                    onChange={on => put(id, { shown: on })}
                    aria-label={t('show', { tile: name })}
                  />
                </td>
                <td>
                  <span className="medium">{name}</span>
                  <span className="muted fine-print">{t(`tiles.${id}.help`)}</span>
                </td>
                <td>{shown && <Width id={id} size={size} onSize={next => put(id, { size: next })} />}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="visually-hidden" aria-live="polite">
        {order.said}
      </p>
    </>
  )
}

type WidthProps = { id: TileRow['id']; size: TileSize; onSize: (size: TileSize) => void }

function Width({ id, size, onSize }: WidthProps) {
  const t = useTranslations('dashboard.form')
  const sizes = sizesOf(id)
  if (sizes.length === 1) return <span className="muted">{t(`sizes.${size}`)}</span>
  return (
    <Segments
      label={t('sizeOf', { tile: t(`tiles.${id}.name`) })}
      value={size}
      options={sizes.map(value => ({ value, label: t(`sizes.${value}`) }))}
      onChange={value => onSize(value as TileSize)}
    />
  )
}

import { useTranslations } from 'next-intl'
import { KeyValues } from '@/app/_ui/card'
import { useClock } from '@/app/_ui/clock'
import { Bytes, Count } from '@/app/_ui/value'
import type { FiguresOf } from './rows'

const scrolled = { tabIndex: 0, role: 'region' } as const

/** Packets of a capture, in their order. */
export function Packets({ figures, running }: { figures: FiguresOf<'capture'>; running: boolean }) {
  const t = useTranslations('troubleshooting.capture')
  const clock = useClock()
  const { packets, bytes, dropped, rows } = figures
  /** To the microsecond: what is looked at lies close together. */
  const time = (at: number) => `${clock.time(at, true)}.${String(Math.round((at % 1000) * 1000)).padStart(6, '0')}`
  if (packets === 0) return running ? null : <p className="diagnosis-said">{t('none')}</p>
  return (
    <>
      <div className="diagnosis-pairs">
        <KeyValues
          rows={[
            [t('packets'), <Count key="packets" value={packets} />],
            [t('onWire'), <Bytes key="bytes" value={bytes} />],
            dropped !== undefined && dropped > 0 && [t('dropped'), <Count key="dropped" value={dropped} />],
          ]}
        />
      </div>
      <section className="table-scroll diagnosis-packets" {...scrolled} aria-label={t('list')}>
        <table className="data-table plain" aria-label={t('list')}>
          <thead>
            <tr>
              <th>{t('time')}</th>
              <th>{t('source')}</th>
              <th>{t('destination')}</th>
              <th>{t('protocol')}</th>
              <th className="numeric">{t('length')}</th>
              <th>{t('info')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: packets have no other name, and stay where they are
              <tr key={index}>
                <td className="number">{time(row.at)}</td>
                <td>
                  <bdi className="ip">{row.source || '–'}</bdi>
                </td>
                <td>
                  <bdi className="ip">{row.destination || '–'}</bdi>
                </td>
                <td>{row.protocol || '–'}</td>
                <td className="numeric">{row.length}</td>
                <td className="diagnosis-info" dir="ltr">
                  {row.info}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {packets > rows.length && <p className="diagnosis-said muted">{t('more', { count: packets - rows.length })}</p>}
    </>
  )
}

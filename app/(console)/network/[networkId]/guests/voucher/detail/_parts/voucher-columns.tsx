import { useTranslations } from 'next-intl'
import { Age, Moment } from '@/app/_ui/clock'
import type { Column } from '@/app/_ui/data-table-types'
import { Status } from '@/app/_ui/status'
import { Bytes } from '@/app/_ui/value'
import type { Group, Voucher } from '../../_parts/rows'
import { stateLooks, stateNames } from '../../_parts/states'
import { useLasting } from '../../_parts/words'

export function useColumns(group: Group): Column<Voucher>[] {
  const t = useTranslations('vouchers')
  const lasting = useLasting()
  const label = (key: string) => t(`columns.${key as 'name'}`)
  const none = <span className="muted">{t('notYet')}</span>
  return [
    {
      key: 'state',
      sort: true,
      label: label('state'),
      fixed: true,
      phone: 'state',
      width: '130px',
      cell: voucher => <Status state={stateLooks[voucher.state]}>{t(`states.${stateNames[voucher.state]}`)}</Status>,
    },
    {
      key: 'code',
      label: label('code'),
      fixed: true,
      phone: 'title',
      cell: ({ id, code }) =>
        code === null ? (
          <span className="number">{t('numbered', { id })}</span>
        ) : (
          <bdi dir="ltr" className="voucher-code">
            {code}
          </bdi>
        ),
    },
    {
      key: 'left',
      label: label('timeLeft'),
      phone: 'key',
      cell: voucher => <span className="number">{lasting(voucher.secondsLeft)}</span>,
    },
    {
      key: 'usedBytes',
      sort: true,
      label: label(group.byteLimitMb === null || group.bytesPer === 'device' ? 'usedBytes' : 'bytesLeft'),
      numeric: true,
      cell: ({ bytesLeft, usedBytes }) => <Bytes value={bytesLeft ?? usedBytes} />,
    },
    {
      key: 'devices',
      label: label('devices'),
      wrap: true,
      cell: ({ devices }) =>
        devices.length === 0 ? (
          none
        ) : (
          <span title={devices.join(', ')}>
            <bdi dir="ltr" className="font-mono">
              {devices[0]}
            </bdi>
            {devices.length > 1 && <span className="soft"> {t('andMore', { count: devices.length - 1 })}</span>}
          </span>
        ),
    },
    {
      key: 'firstUsedAt',
      sort: true,
      label: label('firstUsedAt'),
      until: 1180,
      cell: voucher => (voucher.firstUsedAt === null ? none : <Age at={voucher.firstUsedAt} />),
    },
    {
      key: 'validUntil',
      sort: true,
      label: label('validUntil'),
      phone: 'extra',
      cell: voucher => <Moment at={voucher.validUntil} />,
    },
    {
      key: 'createdAt',
      sort: true,
      label: label('createdAt'),
      off: true,
      cell: voucher => <Moment at={voucher.createdAt} />,
    },
    { key: 'id', sort: true, label: label('id'), off: true, numeric: true, cell: voucher => voucher.id },
  ]
}

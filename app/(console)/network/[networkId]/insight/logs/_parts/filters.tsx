import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useMay } from '@/app/_api/may'
import { useDeviceOptions } from '@/app/_shared/device-choice'
import { Button } from '@/app/_ui/button'
import { useNow } from '@/app/_ui/clock'
import { Icon } from '@/app/_ui/icon'
import { Picker, type PickProps } from '@/app/_ui/picker'
import { SearchPicker } from '@/app/_ui/search-picker'
import { momentOf, restOfMinute, SpanPick } from '@/app/_ui/span-pick'
import type { Table } from '@/app/_ui/use-table'
import { facilities } from '@/model/insight/facilities'
import { limits } from '@/model/limits'
import { severities } from './rows'

const hourMs = 3_600_000
const minuteMs = 60_000
/** Hours back from now. */
const spans = ['1', '24', '168', '720'] as const

const whole = (text: string | undefined) => (text && /^\d{1,16}$/.test(text) ? Number(text) : undefined)

type Facility = (typeof facilities)[number]
const isFacility = (text = ''): text is Facility => facilities.some(one => one === text)

/** The filter as the calls take it, from the page's address. */
export function useFilter({ state: { search, filters } }: Table) {
  const { device, severity, facility, like, hours, from, to, senders } = filters
  // To the full minute: a filter that moves with the clock would ask again all the time.
  const now = Math.floor((useNow(minuteMs) ?? 0) / minuteMs) * minuteMs
  return useMemo(() => {
    const id = whole(device)
    return {
      ...(search && { search }),
      ...(id && { device: id }),
      ...(severities.some(one => one === severity) && { severity: Number(severity) }),
      ...(isFacility(facility) && { facility: facilities.indexOf(facility) }),
      ...(like && { like: like.slice(0, limits.textCharacters) }),
      ...(spans.some(one => one === hours) && { from: Math.max(0, now - Number(hours) * hourMs) }),
      ...momentOf('from', from),
      ...momentOf('to', to, restOfMinute),
      ...(senders === 'unknown' && { unknown: true }),
    }
  }, [search, device, severity, facility, like, hours, from, to, senders, now])
}

type Props = {
  table: Table
  keepsUnknown: boolean
  /** Of the device that is chosen, where it is known. */
  deviceName: string | undefined
}

/** By device, severity and time; by unknown senders where they are kept and shown. */
export function Filters({ table, keepsUnknown, deviceName }: Props) {
  const t = useTranslations('logs')
  const seesDevices = useMay('devices')
  const seesUnknown = useMay('organization_manager')
  const common = { table, all: t('any') }
  return (
    <>
      {seesDevices && <DevicePick {...common} name={deviceName} />}
      <Picker
        {...common}
        filter="severity"
        label={t('columns.severity')}
        choices={severities.map(value => ({
          value,
          label: t('severityFrom', { severity: t(`severities.${value}`) }),
        }))}
      />
      <Matching table={table} />
      <SpanPick
        {...common}
        also={{ before: '' }}
        label={t('columns.at')}
        title={t('period')}
        spans={spans.map(value => ({ value, label: t(`spans.${value}`) }))}
      />
      {seesUnknown && keepsUnknown && (
        <Picker
          table={table}
          all={t('devicesOnly')}
          filter="senders"
          label={t('senders')}
          choices={[{ value: 'unknown', label: t('unknownSenders') }]}
        />
      )}
    </>
  )
}

/** What a log rule looks for, where its alert led here: said, and taken away. */
function Matching({ table }: { table: Table }) {
  const t = useTranslations('logs')
  const { like, facility } = table.state.filters
  const what = [like, isFacility(facility) && facility].filter(Boolean).join(', ')
  if (what === '') return null
  return (
    <Button
      className="on log-matching"
      title={t('matchingAll')}
      onClick={() => table.change({ filters: { like: '', facility: '', before: '' } })}
    >
      <bdi>{t('matching', { what })}</bdi>
      <Icon name="close" size="sm" />
    </Button>
  )
}

/** One of the network's devices, searched by the manager: there can be ten thousand. */
function DevicePick({ name, ...common }: Pick<PickProps, 'table' | 'all'> & { name: string | undefined }) {
  const t = useTranslations('logs')
  const { device = '' } = common.table.state.filters
  const { field, keep } = useDeviceOptions()
  const { options, asked } = field
  const named = name === undefined ? [] : [{ value: device, label: name }]
  return (
    <SearchPicker
      {...common}
      filter="device"
      label={t('columns.device')}
      options={options}
      asked={{ ...asked, chosen: [...named, ...asked.chosen] }}
      onChosen={keep}
    />
  )
}

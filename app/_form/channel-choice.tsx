'use client'
import { useLocale, useTranslations } from 'next-intl'
import { type ComponentType, useContext } from 'react'
import type { CallOutput } from '@/app/_api/client'
import type { Option } from '@/app/_ui/check'
import { ComboField } from '@/app/_ui/combo-field'
import type { Band } from '@/model/wifi/channels'
import { Air } from './air'
import { frameOf, type InputProps } from './input-frame'

type Allowed = NonNullable<CallOutput<'wifi/radios/get'>['allowed']>[Band][number]

/** Where clients look for a network first in 6 GHz (IEEE 802.11ax, preferred scanning channels). */
const isPreferred = (band: Band, channel: number) => band === '6g' && channel % 16 === 5

type Props = InputProps & { band: Band; Otherwise: ComponentType<InputProps> }

/** A channel among those that the country allows; typed where nothing is known of it. */
export function ChannelChoice({ band, Otherwise, ...props }: Props) {
  const t = useTranslations('wifi.radio.air')
  const locale = useLocale()
  const air = useContext(Air)
  const { value, onChange, onBlur } = props
  // On its way it is a list already: a field that becomes another one would lose the click.
  if (air === null || (air && !air.allowed)) return <Otherwise {...props} />
  const allowed = air?.allowed?.[band] ?? []
  const country = air ? (new Intl.DisplayNames([locale], { type: 'region' }).of(air.country) ?? air.country) : ''
  const about = ({ channel, listenSeconds, maxDbm: dbm }: Allowed) =>
    listenSeconds > 0
      ? t('radar', { minutes: listenSeconds / 60, dbm })
      : t(isPreferred(band, channel) ? 'preferred' : 'plain', { dbm })
  const set = typeof value === 'number' && value !== 0 ? value : undefined
  const known = allowed.some(one => one.channel === set)
  const strange = air !== undefined && set !== undefined && !known
  const options: Option[] = [
    { value: '0', label: t('automatic') },
    ...allowed.map(one => ({
      value: String(one.channel),
      label: t('channel', { channel: one.channel }),
      help: about(one),
    })),
    ...(set !== undefined && !known
      ? [
          {
            value: String(set),
            label: t('channel', { channel: set }),
            ...(strange && { help: t('forbidden', { country }) }),
          },
        ]
      : []),
  ]
  const frame = frameOf(props)
  const wrong = strange ? t('forbidden', { country }) : undefined
  return (
    <ComboField
      {...frame}
      {...(air && allowed.length === 0 && { help: t('none', { country }) })}
      {...((frame.error ?? wrong) !== undefined && { error: frame.error ?? wrong })}
      options={options}
      value={String(value ?? 0)}
      onChange={next => {
        onChange(Number(next))
        onBlur()
      }}
    />
  )
}

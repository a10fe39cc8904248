import { useTranslations } from 'next-intl'
import { PasswordField, TextArea, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { type Place, type Service, servicePlaces } from '@/model/notify/services'

type Props = {
  service: Service
  place: Place
  /** A secret is stored, and stays while the field is empty. */
  kept: boolean
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

const secrets: readonly Place[] = ['url', 'token', 'community']

/** One of the fields that say where a service is told. */
export function PlaceField({ service, place, kept, value, onChange, error }: Props) {
  const t = useTranslations('alerts.targets')
  const helps = useTranslations('alerts.targets.helps')
  const key = `${service}_${place}` as 'slack_url'
  const frame = {
    label: t(`fields.${place}`),
    error,
    ...(helps.has(key) && { help: helps(key) }),
    optional: servicePlaces[service].may?.includes(place) === true,
  }
  if (place === 'protocol')
    return (
      <SelectField
        {...frame}
        value={value}
        onChange={onChange}
        options={(['udp', 'tcp'] as const).map(one => ({ value: one, label: t(`protocols.${one}`) }))}
      />
    )
  if (place === 'to')
    return <TextArea {...frame} rows={3} code spellCheck={false} value={value} onChange={onChange} dir="ltr" />
  if (secrets.includes(place))
    return <PasswordField {...frame} kept={kept} value={value} onChange={onChange} dir="ltr" />
  return (
    <TextField
      {...frame}
      value={value}
      onChange={onChange}
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      {...(place === 'port' && { inputMode: 'numeric' })}
    />
  )
}

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { ComboField } from '@/app/_ui/combo-field'
import { NumberField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { useSettled } from '@/app/_ui/use-settled'
import type { Values } from './values'

type Props = {
  values: Values
  at: (name: string) => string | undefined
  put: (change: Partial<Values>) => void
}

/** The other end of a throughput test, which way, and for how long. */
export function PeerInputs({ values, at, put }: Props) {
  const t = useTranslations('troubleshooting.run')
  const [typed, onTyped] = useState('')
  const { data } = useNetworkCall('diagnostics/places', { search: useSettled(typed) })
  const options = (data?.devices ?? [])
    .filter(one => String(one.id) !== values.from)
    .map(({ id, name, address }) => ({ value: String(id), label: name, help: address }))
  const [known, setKnown] = useState<typeof options>([])
  return (
    <>
      <ComboField
        label={t('peer')}
        help={t('peerHelp')}
        value={values.peer}
        error={at('peer')}
        onChange={peer => {
          setKnown(options.filter(one => one.value === peer))
          put({ peer })
        }}
        options={options}
        asked={{ total: Math.max(0, (data?.total ?? 0) - 1), onTyped, chosen: known }}
      />
      <SelectField
        label={t('direction')}
        value={values.reverse}
        onChange={reverse => put({ reverse: reverse as Values['reverse'] })}
        options={[
          { value: 'to', label: t('directionTo') },
          { value: 'from', label: t('directionFrom') },
        ]}
      />
      <NumberField
        label={t('seconds')}
        help={t('secondsHelp')}
        placeholder="10"
        unit="s"
        value={values.seconds}
        error={at('seconds')}
        onChange={seconds => put({ seconds })}
      />
    </>
  )
}

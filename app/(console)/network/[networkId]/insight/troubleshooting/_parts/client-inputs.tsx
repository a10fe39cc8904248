import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import { shownName } from '@/app/_shared/clients/client'
import { ComboField } from '@/app/_ui/combo-field'
import { TextField } from '@/app/_ui/field'
import { useSettled } from '@/app/_ui/use-settled'
import type { Values } from './values'

type Props = {
  values: Values
  at: (name: string) => string | undefined
  put: (change: Partial<Values>) => void
}

/** Which client is checked, connected or not; the manager searches them. */
export function ClientInputs({ values, at, put }: Props) {
  const t = useTranslations('troubleshooting.run')
  const [typed, onTyped] = useState('')
  const search = useSettled(typed)
  const query = { page: 1, pageSize: 50, ...(search && { search }) }
  const here = useNetworkCall('clients/list', { ...query, state: 1 })
  const gone = useNetworkCall('clients/list', { ...query, state: 0 })
  const rows = [...(here.data?.result ?? []), ...(gone.data?.result ?? [])]
  const options = rows.map(one => ({
    value: one.mac,
    label: shownName(one),
    help: [one.address, one.online ? undefined : t('offline')].filter(part => part !== undefined).join(' · '),
  }))
  const [known, setKnown] = useState<typeof options>([])
  const asIs = { value: values.client, label: values.client.toUpperCase() }
  const total = (here.data?.total ?? 0) + (gone.data?.total ?? 0)
  return (
    <>
      <ComboField
        label={t('client')}
        help={t('clientHelp')}
        value={values.client}
        error={at('mac')}
        onChange={client => {
          setKnown(options.filter(one => one.value === client))
          put({ client })
        }}
        options={options}
        asked={{ total, onTyped, chosen: [...known, ...options, ...(values.client ? [asIs] : [])] }}
      />
      <TextField
        label={t('lookUp')}
        help={t('lookUpHelp')}
        optional
        placeholder="example.com"
        value={values.lookUp}
        error={at('name')}
        onChange={lookUp => put({ lookUp })}
        dir="ltr"
        spellCheck={false}
      />
    </>
  )
}

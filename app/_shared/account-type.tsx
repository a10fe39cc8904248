'use client'
import { useTranslations } from 'next-intl'
import { ComboField } from '@/app/_ui/combo-field'
import type { FieldFrame } from '@/app/_ui/field'
import { type AccountType, accountTypes } from '@/model/users'

type Props = FieldFrame & { value: AccountType; onChange: (value: AccountType) => void }

/** What somebody is to their organization; '' is not said. */
export function AccountTypeField({ onChange, ...frame }: Props) {
  const t = useTranslations('roles.accountTypes')
  const options = accountTypes.map(value => ({ value, label: t(value) }))
  return (
    <ComboField
      {...frame}
      options={[{ value: '', label: t('none') }, ...options]}
      onChange={next => onChange(accountTypes.find(one => one === next) ?? '')}
    />
  )
}

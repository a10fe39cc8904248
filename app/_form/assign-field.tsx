'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { ChoiceCards } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import type { Assign } from '@/model/assign'

/** Groups or devices as options; none while they are on their way. */
export const named = (rows: readonly { id: number; name: string }[] = []) =>
  rows.map(({ id, name }) => ({ value: String(id), label: name }))

type Props = { label: string; value: Assign; changed: boolean; onChange: (value: Assign) => void }

/** Which devices get a document: all, or groups with what is below them, and single ones. */
export function AssignField({ label, value, changed, onChange }: Props) {
  const t = useTranslations('form')
  const { data } = useNetworkCall('settings/targets', {})
  return (
    <>
      <ChoiceCards
        label={label}
        changed={changed}
        options={[
          { value: 'all', label: t('allDevices') },
          { value: 'some', label: t('someDevices') },
        ]}
        value={value.all ? 'all' : 'some'}
        onChange={next => onChange({ ...value, all: next === 'all' })}
      />
      {!value.all && (
        <div className="two-columns">
          <MultiSelect
            label={t('groups')}
            help={t('groupsHelp')}
            options={named(data?.groups)}
            value={value.groups.map(String)}
            onChange={ids => onChange({ ...value, groups: ids.map(Number) })}
          />
          <MultiSelect
            label={t('devices')}
            options={named(data?.devices)}
            value={value.devices.map(String)}
            onChange={ids => onChange({ ...value, devices: ids.map(Number) })}
          />
        </div>
      )}
    </>
  )
}

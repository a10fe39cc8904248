'use client'
import { useTranslations } from 'next-intl'
import { useTargets } from '@/app/_shared/device-choice'
import { ChoiceCards } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import type { Assign } from '@/model/assign'

type Props = { label: string; value: Assign; changed: boolean; onChange: (value: Assign) => void }

/** Which devices get a document: all, or groups with what is below them, and single ones. */
export function AssignField({ label, value, changed, onChange }: Props) {
  const t = useTranslations('form')
  const { groups, devices } = useTargets(value.devices)
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
            options={groups}
            value={value.groups.map(String)}
            onChange={ids => onChange({ ...value, groups: ids.map(Number) })}
          />
          <MultiSelect
            label={t('devices')}
            {...devices}
            value={value.devices.map(String)}
            onChange={ids => onChange({ ...value, devices: ids.map(Number) })}
          />
        </div>
      )}
    </>
  )
}

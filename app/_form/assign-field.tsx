'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { ChoiceCards } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import type { Assign } from '@/model/assign'

type Props = { label: string; value: Assign; changed: boolean; onChange: (value: Assign) => void }

/** Which devices get a document: all, or groups with what is below them, and single ones. */
export function AssignField({ label, value, changed, onChange }: Props) {
  const t = useTranslations('form')
  const groups = useNetworkCall('groups/list', {})
  const devices = useNetworkCall('devices/list', { page: 1, pageSize: 200 })
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
        <div className="two">
          <MultiSelect
            label={t('groups')}
            help={t('groupsHelp')}
            options={(groups.data?.result ?? []).map(group => ({
              value: String(group.groupId),
              label: group.groupName,
            }))}
            value={value.groups.map(String)}
            onChange={ids => onChange({ ...value, groups: ids.map(Number) })}
          />
          <MultiSelect
            label={t('devices')}
            options={(devices.data?.result ?? []).map(device => ({ value: String(device.id), label: device.name }))}
            value={value.devices.map(String)}
            onChange={ids => onChange({ ...value, devices: ids.map(Number) })}
          />
        </div>
      )}
    </>
  )
}

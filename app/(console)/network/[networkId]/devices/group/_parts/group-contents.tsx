'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { type KindId, kinds, scopedAddress } from '@/model/registry'
import { kindIcon } from '../../_parts/device-state'
import { useGroupPath } from '../../_parts/use-group-path'
import type { Given } from './rows'

export type KindTitles = Partial<Record<KindId, string>>
type Props = { id: number; networkId: string; titles: KindTitles }

/** What devices a group holds, and which settings they get from where. */
export function GroupContents({ id, networkId, titles }: Props) {
  return (
    <>
      <DeviceTypes id={id} />
      <Business {...{ id, networkId, titles }} />
    </>
  )
}

function DeviceTypes({ id }: { id: number }) {
  const t = useTranslations('devices')
  const path = useGroupPath()
  const call = useNetworkCall('groups/device-types', { groupId: id }, { live: true })
  return (
    <Card title={t('group.types')} pad>
      <Loaded call={call}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState slim icon="devices" title={t('group.typesEmpty')} />
          ) : (
            <ul className="plain-words">
              {result.map(({ type, count, online, models }) => (
                <li key={type}>
                  <span className="row wrapping">
                    <Icon name={kindIcon(type)} size="sm" />
                    <Link href={`${path.list}?group=${id}&kind=${type}`}>{t(`kind.${type as 'ap'}`)}</Link>
                    <span className="number soft">{t('group.typesOnline', { online, count })}</span>
                  </span>
                  <span className="fine-print muted">{models.join(', ')}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Business({ id, networkId, titles }: Props) {
  const t = useTranslations('devices.group')
  const call = useNetworkCall('groups/business', { groupId: id }, { live: true })
  return (
    <Card title={t('business')} pad>
      <Loaded call={call}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState slim icon="settings" title={t('businessEmpty')} />
          ) : (
            <ul className="plain-words">
              {result.map(one => (
                <li key={`${one.kind} ${one.id} ${one.from} ${one.fromName}`}>
                  <span className="row wrapping">
                    <span className="soft">{titles[one.kind]}</span>
                    <Link href={`/network/${networkId}/${addressOf(one, id)}`}>{one.name || titles[one.kind]}</Link>
                    <span className="fine-print muted">{t(`from.${one.from}`, { name: one.fromName })}</span>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

/** The form of a setting in a list; of one that exists once, the group's own. */
const addressOf = ({ kind, id }: Given, group: number) =>
  id === '' ? scopedAddress(kind, `group=${group}`) : `${kinds[kind].form}?id=${id}`

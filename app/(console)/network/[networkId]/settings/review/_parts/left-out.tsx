'use client'
import { useTranslations } from 'next-intl'
import { useNetworkCall } from '@/app/_api/use-call'
import { type Reach, Reasons, useReachWords } from '@/app/_shared/left-out'
import { Card } from '@/app/_ui/card'
import { Link } from '@/app/_ui/link'
import { Status } from '@/app/_ui/status'
import { isKindId, isSingle, kinds } from '@/model/registry'
import { useSavedName } from './use-push-words'

/** Settings that are saved and that a push does not bring to every device they were given to, whatever waits. */
export function LeftOut({ networkId }: { networkId: number }) {
  const t = useTranslations('change.leftOut')
  const call = useNetworkCall('changes/left-out/list', {}, { live: true })
  if (!call.data?.result.length) return null
  return (
    <Card title={t('title')}>
      {call.data.result.map(reach => (
        <Line key={reach.id} {...{ reach, networkId }} />
      ))}
    </Card>
  )
}

const formOf = ({ id, kind }: Reach): string | undefined => {
  if (!isKindId(kind)) return undefined
  return isSingle(kind) ? kinds[kind].list : `${kinds[kind].form}?id=${id}`
}

function Line({ reach, networkId }: { reach: Reach; networkId: number }) {
  const owner = useSavedName()
  const words = useReachWords()
  const form = formOf(reach)
  const name = owner(reach.kind, reach.name)
  return (
    <div className="review-device left-out">
      <Status state="warning" />
      {form ? (
        <Link className="medium truncated" href={`/network/${networkId}/${form}`}>
          {name}
        </Link>
      ) : (
        <span className="medium truncated">{name}</span>
      )}
      <div className="why">
        <div>{words.short(reach)}</div>
        <Reasons reach={reach} />
      </div>
    </div>
  )
}

'use client'
import { useParams } from 'next/navigation'
import { Link } from '@/app/_ui/link'
import { Maybe } from '@/app/_ui/value'
import type { LldpNeighbour } from '@/server/drivers/observation'
import type { DeviceInfo } from './device-info'

type Props = { info: Pick<DeviceInfo, 'managed'>; neighbour: LldpNeighbour }

/** What hangs on a port by its name; a device of this network is the way to its page, by the name it has here. */
export function NeighbourName({ info, neighbour }: Props) {
  const { networkId } = useParams<{ networkId: string }>()
  const { chassisId, managementAddress, systemName } = neighbour
  const known = info.managed.find(
    one => (chassisId !== undefined && one.mac === chassisId.toLowerCase()) || one.address === managementAddress,
  )
  if (!known)
    return <Maybe value={systemName || chassisId || null}>{name => <span className="medium">{name}</span>}</Maybe>
  return (
    <Link className="name" href={`/network/${networkId}/devices/detail?id=${known.id}`}>
      {known.name}
    </Link>
  )
}

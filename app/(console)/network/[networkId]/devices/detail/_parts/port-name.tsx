'use client'
import { useParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '@/app/_ui/link'
import type { DeviceInfo } from './device-info'

type Props = { info: Pick<DeviceInfo, 'id' | 'reading'>; of: string; children: ReactNode }

/** An interface's name: where it is a port of the front, the way to all that is known of it. */
export function PortName({ info, of, children }: Props) {
  const { networkId } = useParams<{ networkId: string }>()
  const port = info.reading.ports?.find(one => one.interface === of)
  if (!port) return <span className="medium">{children}</span>
  const query = new URLSearchParams({ id: String(info.id), port: port.label })
  return (
    <Link className="name" href={`/network/${networkId}/devices/detail?${query}`}>
      {children}
    </Link>
  )
}

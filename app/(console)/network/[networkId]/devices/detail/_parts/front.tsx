'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Card } from '@/app/_ui/card'
import { FrontPanel } from '@/app/(console)/network/[networkId]/devices/detail/_parts/front-panel'
import type { DeviceInfo } from './device-info'
import { type FrontPort, frontPorts } from './panel-ports'
import { PortDialog } from './port-dialog'
import { PortCard, usePortWord } from './port-facts'
import { isAccessPoint } from './radios'

/** What it says with so few ports is in the list of interfaces, too; its radios are what it is for. */
const fewPorts = 2

/** The device's front: which ports have a link, how fast, and what hangs on them. Left out where it has no ports. */
export function Front({ info }: { info: DeviceInfo }) {
  const { name, model, reading } = info
  const t = useTranslations('devices.detail.panel')
  const ports = frontPorts(reading, usePortWord())
  const router = useRouter()
  const path = usePathname()
  // A link names a port by its label, or by its interface as clients do, on the page of its own device, too.
  const named = useSearchParams().get('port')
  const [open, setOpen] = useState<string>()
  const isNamed = ({ label, face }: FrontPort) => label === named || face?.name === named
  const shown = ports.find(port => (open === undefined ? named !== null && isNamed(port) : port.key === open))
  const close = () => {
    setOpen(undefined)
    if (named !== null) router.replace(`${path}?id=${info.id}`, { scroll: false })
  }
  if (ports.length === 0 || (isAccessPoint(info) && ports.length <= fewPorts)) return null
  const up = ports.filter(port => port.face?.up).length
  return (
    <Card
      title={t('title')}
      meta={
        <>
          <span className="number">{t('up', { up, all: ports.length })}</span>
          <Power poe={reading.poe} />
        </>
      }
    >
      <FrontPanel
        name={name}
        model={model}
        ports={ports}
        card={port => <PortCard port={ports.find(one => one.key === port.key)} />}
        onOpen={port => setOpen(port.key)}
      />
      {shown && <PortDialog info={info} port={shown} onClose={close} />}
    </Card>
  )
}

function Power({ poe }: { poe: DeviceInfo['reading']['poe'] }) {
  const t = useTranslations('devices.detail.panel')
  if (poe?.usedWatts === undefined) return null
  const used = poe.usedWatts.toFixed(1)
  return (
    <span className="row" style={{ gap: 8 }}>
      {t('poe')}
      <b className="number" style={{ color: 'var(--text)' }}>
        {poe.budgetWatts === undefined ? t('poeUsed', { used }) : t('poeOf', { used, budget: poe.budgetWatts })}
      </b>
      {poe.budgetWatts !== undefined && poe.budgetWatts > 0 && (
        <span className="bar" style={{ inlineSize: 72 }}>
          <i
            style={{
              inlineSize: `${Math.min(100, (poe.usedWatts / poe.budgetWatts) * 100)}%`,
              background: 'var(--chart-2)',
            }}
          />
        </span>
      )}
    </span>
  )
}

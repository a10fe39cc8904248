'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Card } from '@/app/_ui/card'
import { FrontPanel } from '@/app/(console)/network/[networkId]/devices/detail/_parts/front-panel'
import type { DeviceInfo } from './device-info'
import { frontPorts } from './panel-ports'
import { PortDialog } from './port-dialog'
import { PortCard, usePortWord } from './port-facts'

/** The device's front: which ports have a link, how fast, and what hangs on them. Left out where it has no ports. */
export function Front({ info }: { info: DeviceInfo }) {
  const { name, model, reading } = info
  const t = useTranslations('devices.detail.panel')
  const ports = frontPorts(reading, usePortWord())
  const [open, setOpen] = useState<string>()
  const shown = ports.find(port => port.key === open)
  if (ports.length === 0) return null
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
      {shown && <PortDialog info={info} port={shown} onClose={() => setOpen(undefined)} />}
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

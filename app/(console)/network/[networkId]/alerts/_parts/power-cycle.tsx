'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'

type Power = NonNullable<CallOutput<'devices/power/info'>['power']>
type Props = { id: number; name: string }

/** So many names are said; of more the first ones and how many there are. */
const named = 5

/** Starts an offline device anew by its PoE port, where that is possible; nothing where it is not. */
export function PowerCycle({ id, name }: Props) {
  const t = useTranslations('alerts.power')
  const { data } = useNetworkCall('devices/power/info', { id }, { live: true })
  const [asking, setAsking] = useState(false)
  if (!data?.power) return null
  return (
    <>
      <Button icon="power" onClick={() => setAsking(true)}>
        {t('action')}
      </Button>
      {asking && <Ask id={id} name={name} power={data.power} onClose={() => setAsking(false)} />}
    </>
  )
}

function Ask({ id, name, power, onClose }: Props & { power: Power; onClose: () => void }) {
  const t = useTranslations('alerts.power')
  const { device, label, others, clients } = power
  const [names, more] = [others.slice(0, named).join(', '), Math.max(0, others.length - named)]
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name })}
      consequences={[
        t('takes', { name, port: label, switch: device.name }),
        ...(names ? [t('others', { names, more })] : []),
        ...(clients > 0 ? [t('clients', { count: clients })] : []),
        t('back'),
      ]}
      action={t('action')}
      danger
      onConfirm={async () => {
        await callApi('devices/power/cycle', withNetwork({ id }))
        toast('ok', t('done', { port: label, switch: device.name }))
      }}
    />
  )
}

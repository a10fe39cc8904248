'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { CheckLine } from '@/app/_ui/check'
import { ComboField } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { toast } from '@/app/_ui/toast'
import type { DeviceNode, WiringNode } from './wiring'

type Props = { node: DeviceNode; nodes: ReadonlyMap<string, WiringNode>; onClose: () => void }

/** Says by hand to which device another one is linked, and whether that is its way up. */
export function LinkByHand({ node, nodes, onClose }: Props) {
  const t = useTranslations('topology.hand')
  const [other, setOther] = useState('')
  const [uplink, setUplink] = useState(true)
  const devices = [...nodes.values()].filter((one): one is DeviceNode => one.kind === 'device' && one.id !== node.id)
  const options = devices
    .map(({ shown }) => ({ value: String(shown.id), label: shown.name, help: shown.model }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
  const { name, id } = node.shown
  const save = async () => {
    await callApi('topology/links/save', withNetwork({ upper: Number(other), lower: id, uplink }))
    toast('ok', t('done', { name, other: options.find(one => one.value === other)?.label ?? '' }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name })}
      help={t('help')}
      action={t('save')}
      disabled={other === ''}
      onConfirm={save}
    >
      {errors => (
        <>
          <ComboField label={t('other')} value={other} onChange={setOther} options={options} error={errors.upper} />
          <CheckLine checked={uplink} onChange={setUplink}>
            {t('uplink', { name })}
          </CheckLine>
        </>
      )}
    </ConfirmDialog>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { CheckLine } from '@/app/_ui/check'
import { Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { Offer } from './offer'

type Props = { onLater: () => void }

/** Rule S10: accepts what is ticked and refuses the rest. */
export function Receipt({ shares, onLater }: Props & { shares: readonly Offer[] }) {
  const t = useTranslations('shell.offers')
  const { busy, run } = useSubmit<'accept' | 'refuse'>()
  const [ticked, setTicked] = useState<readonly number[]>([])
  const ids = shares.map(offer => offer.networkId)
  const toggle = (id: number, on: boolean) => setTicked(ids.filter(one => (one === id ? on : ticked.includes(one))))
  const accept = () =>
    run('accept', async () => {
      const refuseNetworkList = ids.filter(id => !ticked.includes(id))
      await callApi('networks/share/accept', { networkIds: [...ticked], refuseNetworkList })
      toast('ok', t('accepted', { count: ticked.length }))
    })
  const refuse = () =>
    run('refuse', async () => {
      await callApi('networks/share/reject', { networkIds: ids })
      toast('ok', t('refused'))
    })
  const footer = (
    <>
      <Button onClick={onLater}>{t('later')}</Button>
      <Button kind="danger" busy={busy === 'refuse'} onClick={() => void refuse()}>
        {t('refuseAll')}
      </Button>
      <Button kind="primary" busy={busy === 'accept'} disabled={ticked.length === 0} onClick={() => void accept()}>
        {t('receive')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onLater} title={t('title')} footer={footer}>
      <p>{t('help')}</p>
      {shares.map(({ networkId, networkName, accountName, company, kind }) => (
        <div key={networkId}>
          <CheckLine checked={ticked.includes(networkId)} onChange={on => toggle(networkId, on)}>
            <b>{networkName}</b>{' '}
            <span className="soft">
              {t(kind === 'manage' ? 'fromToManage' : 'fromToRead', { account: accountName, company })}
            </span>
          </CheckLine>
        </div>
      ))}
    </Dialog>
  )
}

/** A network that another company hands over for good. */
export function TakeOver({ transfer, onLater }: Props & { transfer: Offer }) {
  const t = useTranslations('shell.offers')
  const { networkId, networkName: former, accountName: account, company } = transfer
  const { errors, busy, run } = useSubmit<'take' | 'refuse'>()
  const [networkName, setNetworkName] = useState(former)
  const item = useCall('networks/transfer/item', { networkId })
  const take = () =>
    run('take', async () => {
      await callApi('networks/transfer/confirm', { networkId, networkName })
      toast('ok', t('taken', { name: networkName }))
    })
  const refuse = () =>
    run('refuse', async () => {
      await callApi('networks/share/reject', { networkIds: [networkId] })
      toast('ok', t('refused'))
    })
  const footer = (
    <>
      <Button onClick={onLater}>{t('later')}</Button>
      <Button kind="danger" busy={busy === 'refuse'} onClick={() => void refuse()}>
        {t('refuse')}
      </Button>
      <Button kind="primary" busy={busy === 'take'} disabled={networkName.trim() === ''} onClick={() => void take()}>
        {t('take')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onLater} title={t('takeTitle', { name: former })} footer={footer}>
      <Note tone="info" title={t('takeFrom', { account, company })}>
        {item.data && t('takeWhat', { devices: item.data.devices, settings: item.data.settings })}
      </Note>
      <TextField
        label={t('takeName')}
        value={networkName}
        error={errors.networkName}
        maxLength={limits.networkNameCharacters}
        onChange={setNetworkName}
      />
    </Dialog>
  )
}

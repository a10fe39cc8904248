'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { CheckLine } from '@/app/_ui/check'
import { Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'

type Offer = CallOutput<'networks/share/list'>['received'][number]
type Props = { onLater: () => void }

/** What other companies offer: networks to work in, and then one by one those that they hand over. */
export function Offers() {
  const may = useMay('organization_network_add')
  const { data } = useCall('networks/share/list', may ? {} : null, { live: true })
  const [later, setLater] = useState<readonly string[]>([])
  const waiting = data?.received.filter(offer => !later.includes(keyOf(offer))) ?? []
  const shares = waiting.filter(offer => offer.kind !== 'transfer')
  const transfer = waiting.find(offer => offer.kind === 'transfer')
  const put = (offers: readonly Offer[]) => setLater([...later, ...offers.map(keyOf)])
  if (shares.length > 0) return <Receipt key={shares.map(keyOf).join()} shares={shares} onLater={() => put(shares)} />
  if (transfer) return <TakeOver key={keyOf(transfer)} transfer={transfer} onLater={() => put([transfer])} />
  return null
}

/** One that is offered again is another. */
const keyOf = ({ networkId, at }: Offer) => `${networkId} ${at}`

/** Rule S10: accepts what is ticked and refuses the rest. */
function Receipt({ shares, onLater }: Props & { shares: readonly Offer[] }) {
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
function TakeOver({ transfer, onLater }: Props & { transfer: Offer }) {
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

'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { IconButton } from '@/app/_ui/button'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { type ShareAccess, shareAccesses } from '@/model/authority'
import { limits } from '@/model/limits'
import type { Network } from './networks-page'

type Props = { network: Network; onClose: () => void }
type Given = CallOutput<'networks/share/list'>['given'][number]

const useRefreshed = () => {
  const refresh = useRefresh()
  return () => refresh('networks/list', 'networks/options', 'networks/share/list')
}

/** Offers a network to an administrator of another company, and ends what was shared. */
export function ShareDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.share')
  const refreshed = useRefreshed()
  const [account, setAccount] = useState('')
  const [access, setAccess] = useState<ShareAccess>('read')
  const shares = useCall('networks/share/list', { networkId: network.id }, { live: ['networks'] })
  const offer = async () => {
    await callApi('networks/share/add', { networkId: network.id, account, access })
    toast('ok', t('done', { name: network.networkName, account: account.trim() }))
    await refreshed()
  }
  return (
    <ConfirmDialog
      open
      title={t('title', { name: network.networkName })}
      help={t('help')}
      action={t('now')}
      disabled={account.trim() === ''}
      onClose={onClose}
      onConfirm={offer}
    >
      {errors => (
        <>
          {shares.data?.given.map(given => (
            <GivenLine key={given.id} given={given} />
          ))}
          <Recipient account={account} error={errors.account} onChange={setAccount} />
          <SelectField
            label={t('access')}
            help={t(`about.${access}`)}
            value={access}
            error={errors.access}
            options={shareAccesses.map(value => ({ value, label: t(`accesses.${value}`) }))}
            onChange={value => setAccess(shareAccesses.find(one => one === value) ?? 'read')}
          />
        </>
      )}
    </ConfirmDialog>
  )
}

function Recipient(props: { account: string; error: string | undefined; onChange: (account: string) => void }) {
  const t = useTranslations('networks.share')
  return (
    <TextField
      label={t('account')}
      help={t('accountHelp')}
      value={props.account}
      error={props.error}
      maxLength={limits.accountCharacters}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={props.onChange}
    />
  )
}

/** One company that a network is shared with, or offered to. */
function GivenLine({ given }: { given: Given }) {
  const t = useTranslations('networks.share')
  const refreshed = useRefreshed()
  const { company, accountName: account, kind, accepted } = given
  const end = async () => {
    // A failure is told by a toast; the line stays as it is.
    const ended = await callApi('networks/share/cancel', { id: given.id }).catch(() => undefined)
    if (ended) toast('ok', t('ended', { company }))
    await refreshed()
  }
  return (
    <div className="row">
      <span className="grow">
        <b>{company}</b>{' '}
        <span className="soft">
          {t(kind === 'manage' ? 'accesses.manage' : 'accesses.read')} · {accepted ? account : t('waits', { account })}
        </span>
      </span>
      <IconButton small kind="ghost" icon="close" label={t('end', { company })} onClick={() => void end()} />
    </div>
  )
}

/** Offers a network to another company for good. */
export function HandOverDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.share')
  const refreshed = useRefreshed()
  const [account, setAccount] = useState('')
  const item = useCall('networks/transfer/item', { networkId: network.id })
  const name = network.networkName
  const start = async () => {
    await callApi('networks/transfer/start', { networkId: network.id, account })
    toast('ok', t('handOverDone', { name, account: account.trim() }))
    await refreshed()
  }
  const along = item.data && t('along', { devices: item.data.devices, settings: item.data.settings })
  return (
    <ConfirmDialog
      open
      danger
      title={t('handOverTitle', { name })}
      consequences={[...(along ? [along] : []), t('peopleOut'), t('untilThen')]}
      action={t('handOverNow')}
      disabled={account.trim() === ''}
      onClose={onClose}
      onConfirm={start}
    >
      {errors => <Recipient account={account} error={errors.account} onChange={setAccount} />}
    </ConfirmDialog>
  )
}

/** Gives a network back that another company shares. */
export function GiveBackDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.share')
  const refreshed = useRefreshed()
  const name = network.networkName
  const giveBack = async () => {
    await callApi('networks/share/return', { networkId: network.id })
    toast('ok', t('givenBack', { name }))
    await refreshed()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('giveBackTitle', { name })}
      consequences={[t('giveBackWhat', { company: network.companies[0] ?? '' })]}
      action={t('giveBack')}
      onClose={onClose}
      onConfirm={giveBack}
    />
  )
}

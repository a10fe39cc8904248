'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, IconButton } from '@/app/_ui/button'
import { ComboField } from '@/app/_ui/combo-field'
import { TextField } from '@/app/_ui/field'
import { Icon } from '@/app/_ui/icon'
import { Menu } from '@/app/_ui/menu'
import { Note } from '@/app/_ui/note'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { type ShareAccess, shareAccesses } from '@/model/authority'
import { limits } from '@/model/limits'
import type { Network } from './rows'

type Props = { network: Network; onClose: () => void }
type Given = CallOutput<'networks/share/list'>['given'][number]

/** Offers a network to an administrator of another company, and ends what was shared. */
export function ShareDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.share')
  const to = useRecipient()
  const [access, setAccess] = useState<ShareAccess>('read')
  const shares = useCall('networks/share/list', { networkId: network.id }, { live: true })
  return (
    <ActDialog
      call="networks/share/add"
      input={{ networkId: network.id, ...to.input, access }}
      done={t('done', { name: network.networkName, account: to.name })}
      title={t('title', { name: network.networkName })}
      help={t('help')}
      action={t('now')}
      disabled={to.name === ''}
      onClose={onClose}
    >
      {errors => (
        <>
          {shares.data?.given.map(given => (
            <GivenLine key={given.id} given={given} network={network.networkName} />
          ))}
          <Recipient to={to} errors={errors} />
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
    </ActDialog>
  )
}

/** To whom: somebody of any organization by their account, or an associated organization by its name. */
function useRecipient() {
  const options = useCall('networks/share/options', {}, { live: true })
  const companies = options.data?.companies ?? []
  const [account, setAccount] = useState('')
  const [companyId, setCompany] = useState('')
  const company = companies.find(one => String(one.id) === companyId)
  const input = company ? { companyId: company.id } : { account }
  return { account, setAccount, companyId, setCompany, companies, input, name: company?.name ?? account.trim() }
}

type RecipientProps = { to: ReturnType<typeof useRecipient>; errors: Readonly<Record<string, string>> }

function Recipient({ to, errors }: RecipientProps) {
  const t = useTranslations('networks.share')
  const companies = to.companies.map(one => ({ value: String(one.id), label: one.name }))
  return (
    <>
      {companies.length > 0 && (
        <ComboField
          label={t('to')}
          value={to.companyId}
          error={errors.companyId}
          options={[{ value: '', label: t('toAccount') }, ...companies]}
          onChange={to.setCompany}
        />
      )}
      {to.companyId === '' && (
        <TextField
          label={t('account')}
          help={t('accountHelp')}
          value={to.account}
          error={errors.account}
          maxLength={limits.accountCharacters}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={to.setAccount}
        />
      )}
    </>
  )
}

/** One company that a network is shared with, or offered to: how far, and until when. */
function GivenLine({ given, network }: { given: Given; network: string }) {
  const t = useTranslations('networks.share')
  const [ending, setEnding] = useState(false)
  const { id, company, accountName: account, kind, accepted } = given
  const accessNow = t(kind === 'manage' ? 'accesses.manage' : 'accesses.read')
  // A failure is told by a toast; the line stays as it is.
  const after = async (done: Promise<unknown>, words: string) => {
    const answer = await done.catch(() => undefined)
    if (answer) toast('ok', words)
  }
  const end = () => after(callApi('networks/share/cancel', { id }), t('ended', { company }))
  const change = (value: string) => {
    const access = shareAccesses.find(one => one === value) ?? 'read'
    return after(callApi('networks/share/edit', { id, access }), t(`accessSaved.${access}`, { company }))
  }
  return (
    <div>
      <div className="row">
        <span className="grow">
          <b>{company}</b> <span className="soft">{accepted ? account : t('waits', { account })}</span>
        </span>
        <Menu
          trigger={
            <Button small kind="ghost" aria-label={t('accessOf', { access: accessNow, company })}>
              {accessNow}
              <Icon name="down" size="sm" />
            </Button>
          }
          groups={[
            {
              actions: shareAccesses.map(value => ({
                label: t(`accesses.${value}`),
                checked: value === kind,
                onSelect: () => void change(value),
              })),
            },
          ]}
        />
        <IconButton
          small
          kind="ghost"
          icon="close"
          label={t('end', { company })}
          // An offer that nobody accepted is taken back as it was made; what people work in is asked about.
          onClick={() => (accepted ? setEnding(true) : void end())}
        />
      </div>
      {ending && (
        <Note
          tone="warn"
          title={t('endWhat', { company, name: network })}
          actions={
            <>
              <Button small onClick={() => setEnding(false)}>
                {t('keep')}
              </Button>
              <Button small kind="danger" onClick={() => void end()}>
                {t('endNow')}
              </Button>
            </>
          }
        />
      )}
    </div>
  )
}

/** Offers a network to another company for good. */
export function HandOverDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.share')
  const to = useRecipient()
  const item = useCall('networks/transfer/item', { networkId: network.id })
  const name = network.networkName
  const along = item.data && t('along', { devices: item.data.devices, settings: item.data.settings })
  return (
    <ActDialog
      call="networks/transfer/start"
      input={{ networkId: network.id, ...to.input }}
      done={t('handOverDone', { name, account: to.name })}
      danger
      title={t('handOverTitle', { name })}
      consequences={[...(along ? [along] : []), t('peopleOut'), t('untilThen')]}
      action={t('handOverNow')}
      disabled={to.name === ''}
      onClose={onClose}
    >
      {errors => <Recipient to={to} errors={errors} />}
    </ActDialog>
  )
}

/** Gives a network back that another company shares. */
export function GiveBackDialog({ network, onClose }: Props) {
  const t = useTranslations('networks.share')
  const name = network.networkName
  return (
    <ActDialog
      call="networks/share/return"
      input={{ networkId: network.id }}
      done={t('givenBack', { name })}
      danger
      title={t('giveBackTitle', { name })}
      consequences={[t('giveBackWhat', { company: network.companies[0] ?? '' })]}
      action={t('giveBack')}
      onClose={onClose}
    />
  )
}

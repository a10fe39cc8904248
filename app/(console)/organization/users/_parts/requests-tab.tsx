'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { Age } from '@/app/_ui/clock'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Listing } from '@/app/_ui/listing'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'
import { limits } from '@/model/limits'
import type { Options } from './rows'
import { RoleFields } from './user-form'

type Request = CallOutput<'users/sign-ups/list'>['result'][number]
type Asking = { what: 'accept' | 'refuse'; request: Request }

/** Who asks for an account, has proven the address and waits for a word. */
export function RequestsTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('users')
  const table = useTable()
  const call = useCall('users/sign-ups/list', table.input, { live: true })
  const options = useCall('users/role', {}, { live: true }).data
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  const sorts = (['username', 'email', 'company', 'at'] as const).map(field => ({
    field,
    label: t(`requests.sorts.${field}`),
  }))
  const mayAccept = (options?.result.length ?? 0) > 0
  return (
    <>
      <PageHead title={t('title')} sub={call.data && t('requests.sub', { count: call.data.total })} />
      <Tabs tabs={tabs} active="requests" label={t('title')} />
      <Listing
        label={t('tabs.requests')}
        table={table}
        call={call}
        sorts={sorts}
        empty={
          <EmptyState icon="clients" title={t('requests.empty')}>
            {t('requests.emptyMore')}
          </EmptyState>
        }
      >
        {rows => (
          <ul className="role-list">
            {rows.map(request => (
              <Line key={request.id} request={request} ask={mayAccept ? setAsking : undefined} />
            ))}
          </ul>
        )}
      </Listing>
      {asking?.what === 'accept' && options && (
        <AcceptDialog request={asking.request} options={options} onClose={close} />
      )}
      {asking?.what === 'refuse' && <RefuseDialog request={asking.request} onClose={close} />}
    </>
  )
}

function Line({ request, ask }: { request: Request; ask: ((asking: Asking) => void) | undefined }) {
  const t = useTranslations('users.requests')
  const { username: name, email, account, company, at } = request
  return (
    <li className="row wrapping">
      <div className="grow">
        <b className="medium">{name}</b>
        <p className="soft" style={{ overflowWrap: 'anywhere' }}>
          {t('wishes', { email, account })}
          {company && ` · ${company}`}
        </p>
        <span className="fine-print soft">
          {t('since')} <Age at={at} />
        </span>
      </div>
      {ask && (
        <span className="row">
          <Button aria-label={t('refuseOf', { name })} onClick={() => ask({ what: 'refuse', request })}>
            {t('refuse')}
          </Button>
          <Button kind="primary" aria-label={t('acceptOf', { name })} onClick={() => ask({ what: 'accept', request })}>
            {t('accept')}
          </Button>
        </span>
      )}
    </li>
  )
}

const none: number[] = []
type DialogProps = { request: Request; onClose: () => void }

function AcceptDialog({ request, options, onClose }: DialogProps & { options: Options }) {
  const t = useTranslations('users')
  const {
    values: fields,
    put,
    field,
  } = useFields({ account: request.account, role: '', allNetworks: false, networks: none })
  const everywhere = options.result.find(role => role.id === fields.role)?.everywhere ?? false
  const accept = async () => {
    const allNetworks = everywhere || fields.allNetworks
    await callApi('users/sign-ups/accept', { id: request.id, ...fields, allNetworks })
    toast('ok', t('requests.accepted', { name: request.username }))
  }
  return (
    <ConfirmDialog
      open
      title={t('requests.acceptTitle', { name: request.username })}
      help={t('requests.acceptHelp', { email: request.email })}
      action={t('requests.accept')}
      disabled={fields.role === '' || fields.account.trim() === ''}
      onClose={onClose}
      onConfirm={accept}
    >
      {errors => (
        <>
          <TextField
            label={t('form.account')}
            help={t('requests.accountHelp')}
            {...field('account')}
            error={errors.account ?? errors.email}
            maxLength={limits.accountCharacters}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
          <RoleFields fields={fields} errors={errors} put={put} options={options} />
        </>
      )}
    </ConfirmDialog>
  )
}

function RefuseDialog({ request, onClose }: DialogProps) {
  const t = useTranslations('users.requests')
  const name = request.username
  return (
    <ActDialog
      call="users/sign-ups/refuse"
      input={{ id: request.id }}
      done={t('refused', { name })}
      danger
      title={t('refuseTitle', { name })}
      consequences={[t('refuseWhat')]}
      action={t('refuse')}
      onClose={onClose}
    />
  )
}

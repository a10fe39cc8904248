'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { Button, IconButton } from '@/app/_ui/button'
import { Listing } from '@/app/_ui/listing'
import { Menu, type MenuGroup } from '@/app/_ui/menu'
import { PageHead } from '@/app/_ui/page-head'
import { Badge } from '@/app/_ui/status'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import { toast } from '@/app/_ui/toast'
import { useTable } from '@/app/_ui/use-table'
import { CompanyDialogs, type CompanyQuestion } from './company-dialogs'
import type { Company } from './rows'

/** The companies on this manager: each has its own people and networks, and knows of the others only what they share. */
export function CompaniesTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('users')
  const mayEdit = useMay('organization_companies_edit')
  const table = useTable()
  const call = useCall('companies/list', table.input, { live: true })
  const [asking, setAsking] = useState<CompanyQuestion>()
  const sorts = (['name', 'networks', 'devices', 'users', 'createdAt'] as const).map(field => ({
    field,
    label: t(`companies.sorts.${field}`),
  }))
  return (
    <>
      <PageHead title={t('title')} sub={call.data && t('companies.sub', { count: call.data.total })}>
        {mayEdit && (
          <Button kind="primary" icon="plus" onClick={() => setAsking({ what: 'add' })}>
            {t('companies.add')}
          </Button>
        )}
      </PageHead>
      <Tabs tabs={tabs} active="companies" label={t('title')} />
      <Listing label={t('tabs.companies')} table={table} call={call} sorts={sorts}>
        {rows => (
          <ul className="role-list">
            {rows.map(company => (
              <CompanyLine key={company.id} {...{ company, mayEdit }} ask={setAsking} />
            ))}
          </ul>
        )}
      </Listing>
      <CompanyDialogs asking={asking} ask={setAsking} />
    </>
  )
}

type LineProps = { company: Company; mayEdit: boolean; ask: (asking: CompanyQuestion) => void }

function CompanyLine({ company, mayEdit, ask }: LineProps) {
  const t = useTranslations('users.companies')
  const { name, networks, devices, users } = company
  return (
    <li>
      <div className="grow">
        <span className="row wrapping">
          <b className="name">{name}</b>
          {company.host && <Badge tone="accent">{t('host')}</Badge>}
          {company.waits && <Badge state="queued">{t('waits')}</Badge>}
        </span>
        <p className="soft">{t('head', { account: company.account })}</p>
        {company.address !== '' && <p className="soft">{company.address}</p>}
        {company.associated.length > 0 && (
          <p className="soft">{t('associated', { names: company.associated.map(one => one.name).join(', ') })}</p>
        )}
        <p className="number soft">{t('holds', { networks, devices, users })}</p>
      </div>
      {mayEdit && <Actions {...{ company, ask }} />}
    </li>
  )
}

function Actions({ company, ask }: Omit<LineProps, 'mayEdit'>) {
  const t = useTranslations('users.companies')
  const invite = async () => {
    // A failure is told by a toast; the list stays as it is.
    const sent = await callApi('companies/invite', { id: company.id }).catch(() => undefined)
    if (sent?.link) ask({ what: 'link', account: sent.account, link: sent.link })
    else if (sent) toast('ok', t('invited', { name: sent.account }))
  }
  const groups: MenuGroup[] = [
    {
      actions: [
        { label: t('rename'), icon: 'edit', onSelect: () => ask({ what: 'edit', company }) },
        { label: t('associate'), icon: 'link', onSelect: () => ask({ what: 'associate', company }) },
        ...(company.waits ? [{ label: t('invite'), icon: 'refresh' as const, onSelect: () => void invite() }] : []),
      ],
    },
    ...(company.host
      ? []
      : [
          {
            actions: [
              {
                label: t('delete'),
                icon: 'trash' as const,
                danger: true,
                onSelect: () => ask({ what: 'delete', company }),
              },
            ],
          },
        ]),
  ]
  return (
    <Menu
      groups={groups}
      trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { name: company.name })} />}
    />
  )
}

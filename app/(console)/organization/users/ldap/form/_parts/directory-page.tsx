'use client'
import { useTranslations } from 'next-intl'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { Loaded } from '@/app/_ui/states'
import { RoleLines } from '../../../_parts/role-lines'
import { DirectoryForm } from './directory-form'

export type Directory = CallOutput<'ldap/get'>['directory']

/** Sign-in by the company's directory: where it is, how people are found in it, and which role it gives to whom. */
export function DirectoryPage() {
  const t = useTranslations('ldap')
  const call = useCall('ldap/get', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')} />
      <div className="stack">
        <Card title={t('server.title')} pad>
          <Loaded call={call} lines={8}>
            {({ directory }) => <DirectoryForm key={directory ? 'set' : 'new'} directory={directory} />}
          </Loaded>
        </Card>
        <RoleLines source="ldap" />
      </div>
    </>
  )
}

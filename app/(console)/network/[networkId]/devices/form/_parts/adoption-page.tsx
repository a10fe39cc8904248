'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { LinkButton } from '@/app/_ui/button'
import { PageHead } from '@/app/_ui/page-head'
import { Tabs, useTab } from '@/app/_ui/tabs'
import { ByAddress } from './by-address'
import { Credentials } from './credentials'
import { Discover } from './discover'
import { ImportFile } from './import-file'

const tabs = ['discover', 'address', 'file', 'credentials'] as const

/** Every way a device comes into the network, and the logins they use. */
export function AdoptionPage() {
  const t = useTranslations('adoption')
  const { networkId } = useParams<{ networkId: string }>()
  const mayAdd = useMay('devices_edit')
  const mayLogins = useMay('devices_logins')
  const shown = tabs.filter(id => (id === 'credentials' ? mayLogins : mayAdd))
  const [first = 'discover', ...others] = shown
  const tab = useTab([first, ...others])
  return (
    <>
      <PageHead title={t('title')}>
        <LinkButton href={`/network/${networkId}/devices`}>{t('back')}</LinkButton>
      </PageHead>
      <Tabs label={t('title')} active={tab} tabs={shown.map(id => ({ id, label: t(`tabs.${id}`) }))} />
      {tab === 'discover' && <Discover />}
      {tab === 'address' && <ByAddress />}
      {tab === 'file' && <ImportFile />}
      {tab === 'credentials' && <Credentials />}
    </>
  )
}

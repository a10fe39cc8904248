'use client'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import useSWR from 'swr'
import { ApiError } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { DownloadButton } from '@/app/_ui/download-button'
import { PasswordField } from '@/app/_ui/field'
import { PageHead } from '@/app/_ui/page-head'
import { SearchBox } from '@/app/_ui/search-box'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { type Tab, Tabs } from '@/app/_ui/tabs'
import './api.css'
import { CallRow } from './call-row'
import { byTag, callsOf, type Description, matching } from './catalogue'

const address = '/app/openapi.json'

async function load(): Promise<Description> {
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined)
  if (response?.ok) return (await response.json()) as Description
  throw new ApiError(response?.status === 401 ? 'session' : 'network', 'openapi.json')
}

/** Every call there is, by area; each opens to its fields and can be tried. */
export function CallsTab({ tabs }: { tabs: readonly Tab[] }) {
  const t = useTranslations('api')
  const call = useSWR<Description, ApiError>(address, load, { revalidateOnFocus: false, shouldRetryOnError: false })
  const network = useCall('developer-api/get', {}).data?.networks[0]?.id
  const [search, setSearch] = useState('')
  const [key, setKey] = useState('')
  const all = useMemo(() => (call.data ? callsOf(call.data) : undefined), [call.data])
  const areas = useMemo(() => byTag(matching(all ?? [], search)), [all, search])
  return (
    <>
      <PageHead title={t('title')} sub={all && t('calls.sub', { count: all.length })}>
        <DownloadButton address={address}>{t('calls.file')}</DownloadButton>
      </PageHead>
      <Tabs tabs={tabs} active="calls" label={t('title')} />
      <div className="stack">
        <section className="card" aria-label={t('tabs.calls')}>
          <div className="padded contents-gap">
            <p className="soft">{t('calls.help')}</p>
            <PasswordField
              label={t('calls.tryKey')}
              help={t('calls.tryKeyHelp')}
              optional
              value={key}
              autoComplete="off"
              onChange={setKey}
            />
            <SearchBox value={search} placeholder={t('calls.search')} onSearch={setSearch} />
          </div>
        </section>
        <Loaded call={{ data: all, error: call.error, mutate: () => call.mutate() }} lines={8}>
          {() =>
            areas.length === 0 ? (
              <EmptyState icon="search" title={t('calls.none')} />
            ) : (
              areas.map(([tag, calls]) => (
                <section className="card" key={tag} aria-label={tag}>
                  <header>
                    <h2>{tag}</h2>
                    <span className="meta number">{calls.length}</span>
                  </header>
                  <ul className="call-list">
                    {calls.map(one => (
                      <CallRow key={one.path} call={one} apiKey={key.trim()} network={network} />
                    ))}
                  </ul>
                </section>
              ))
            )
          }
        </Loaded>
      </div>
    </>
  )
}

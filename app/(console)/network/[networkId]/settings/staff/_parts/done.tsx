'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { useCopy } from '@/app/_ui/copy'
import { DownloadButton } from '@/app/_ui/download-button'
import { Note } from '@/app/_ui/note'

type Person = { name: string; password?: string | undefined }
type Props = { name: string; ssid: string; people: readonly Person[] }

const systems = ['apple', 'windows', 'linux'] as const
const server = 'radius.lanward.internal'

/** What people are handed: names, passwords, and what their devices are given. */
export function Done({ name, ssid, people }: Props) {
  const t = useTranslations('radius.staff')
  const { networkId } = useParams<{ networkId: string }>()
  return (
    <>
      <Note tone="ok" title={t('done', { name })}>
        <p>{t('doneHelp')}</p>
        <LinkButton kind="primary" href={`/network/${networkId}/settings/review`}>
          {t('review')}
        </LinkButton>
      </Note>
      <Passwords people={people} />
      <Card title={t('devices')} pad>
        <p className="soft">{t('devicesHelp')}</p>
        <dl className="stack mt-4">
          {systems.map(system => (
            <div key={system}>
              <dt className="row medium">
                <DownloadButton
                  address={`/app/exports/staff-profile?${new URLSearchParams({ networkId, ssid, system })}`}
                >
                  {t(system)}
                </DownloadButton>
              </dt>
              <dd className="soft">{t(`${system}Help`)}</dd>
            </div>
          ))}
          <div>
            <dt className="row medium">
              <DownloadButton
                address={`/app/exports/certificate?${new URLSearchParams({ networkId, what: 'authority' })}`}
              >
                {t('android')}
              </DownloadButton>
            </dt>
            <dd className="soft">{t('androidHelp', { server })}</dd>
          </div>
        </dl>
      </Card>
    </>
  )
}

function Passwords({ people }: Pick<Props, 'people'>) {
  const t = useTranslations('radius.staff')
  const copy = useCopy()
  const text = people.map(one => `${one.name}\t${one.password ?? t('kept')}`).join('\n')
  return (
    <Card title={t('passwords')} pad className="print-alone">
      <p className="soft">{t('once')}</p>
      <div className="table-scroll" {...scrolled}>
        <table className="data-table plain" aria-label={t('passwords')}>
          <thead>
            <tr>
              <th scope="col">{t('person')}</th>
              <th scope="col">{t('password')}</th>
            </tr>
          </thead>
          <tbody>
            {people.map(one => (
              <tr key={one.name}>
                <td dir="ltr">{one.name}</td>
                <td dir="ltr" className="ip">
                  {one.password ?? t('kept')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row mt-4">
        <Button icon="copy" onClick={() => void copy(text)}>
          {t('copy')}
        </Button>
        <Button icon="print" onClick={() => window.print()}>
          {t('print')}
        </Button>
      </div>
    </Card>
  )
}

// On a phone the table scrolls inside its card: it has to be reachable by the keyboard.
const scrolled = { tabIndex: 0 }

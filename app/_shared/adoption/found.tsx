import { useTranslations } from 'next-intl'
import { likelyIcons } from '@/app/_shared/likely-icon'
import { Icon, type IconName } from '@/app/_ui/icon'
import type { FoundHost } from '@/model/found-host'

const own: Readonly<Record<string, IconName>> = likelyIcons

/** By what it is, or likely is. */
export const KindMark = ({ kind }: { kind: string | undefined }) => (
  <span className="found-kind">
    <Icon name={own[kind ?? ''] ?? 'devices'} />
  </span>
)

/** Whether one could log in to it: what else answers is a phone, a computer, a printer. */
export const takesLogin = ({ ssh, snmp }: FoundHost): boolean => snmp !== undefined || (!!ssh && !ssh.reason)

/** The protocols by which it can be logged in to: "SSH, SNMP v2c, v3". */
export const offersOf = ({ ssh, snmp }: FoundHost): string =>
  [ssh && !ssh.reason && 'SSH', snmp && `SNMP ${snmp.versions.join(', ')}`].filter(Boolean).join(', ')

/** What the SSH server says of itself, without the protocol's own words: `SSH-2.0-dropbear` is "dropbear". */
const systemOf = (banner: string | undefined): string | undefined =>
  banner
    ?.replace(/^SSH-[\d.]+-/, '')
    .replaceAll('_', ' ')
    .trim() || undefined

/** Everything known of it in one line, what matters most first: what may be cut off stands last. `read`: its model after adoption. */
export function useAboutFound(): (found: Omit<FoundHost, 'from'>, read?: string) => string {
  const t = useTranslations('adoption.found')
  return (found, read) => {
    const { address, likely, name, mac, vendor, privateMac, description, ssh } = found
    const model = read ?? found.model
    const parts = [
      // Read by now: what it is needs no guess.
      !read && likely && t(`likely.${likely}`),
      model,
      name && name !== address && address,
      vendor,
      mac?.toUpperCase(),
      privateMac && t('privateMac'),
      !read && (description ?? (!model && systemOf(ssh?.banner))),
    ]
    return parts.filter(Boolean).join(' · ')
  }
}

/** Phones, computers, printers: counted, and named for who looks for one of them. */
export function OtherHosts({ hosts }: { hosts: readonly FoundHost[] }) {
  const t = useTranslations('adoption.found')
  const about = useAboutFound()
  if (hosts.length === 0) return null
  return (
    <details className="other-hosts">
      <summary className="muted">{t('others', { count: hosts.length })}</summary>
      <p className="help">{t('othersHelp')}</p>
      <ul>
        {hosts.map(host => (
          <li key={host.address}>
            <span className="ip">{host.name || host.address}</span>{' '}
            <span className="fine-print muted">{about(host)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

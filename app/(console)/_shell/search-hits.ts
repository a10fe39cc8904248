import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { type IconName, iconOf } from '@/app/_ui/icon'
import { fold } from '@/app/_ui/listbox'
import { useSettled } from '@/app/_ui/use-settled'
import type { Authority } from '@/model/authority'
import { goKeys, pathOf } from './menu-tree'
import type { ShellData } from './shell-data'

/** `trail`: what sort of thing it is, or its key. `also`: further words that find it. */
export type Hit = { href: string; text: string; icon: IconName; trail?: string; also?: string }

/** Tabs of pages that are no settings of a network, and what is begun there; their words are `shell.places`. */
const ownPlaces = [
  { name: 'adoption', href: '/network/{n}/devices/form', needs: 'devices_edit', icon: 'plus' },
  { name: 'credentials', href: '/network/{n}/devices/form?tab=credentials', needs: 'devices_logins', icon: 'key' },
  { name: 'groups', href: '/network/{n}/devices/group/form', needs: 'devices_group_add', icon: 'folder' },
  { name: 'review', href: '/network/{n}/settings/review', needs: 'devices', icon: 'check' },
  { name: 'notices', href: '/network/{n}/alerts/notice/form', needs: 'organization_notices', icon: 'alerts' },
  { name: 'createNetwork', href: '/organization/overview/form', needs: 'organization_network_add', icon: 'plus' },
  {
    name: 'backUp',
    href: '/organization/manager?tab=backups#create',
    needs: 'organization_manager_edit',
    icon: 'plus',
  },
  { name: 'backups', href: '/organization/manager?tab=backups', needs: 'organization_manager', icon: 'download' },
  { name: 'general', href: '/organization/manager?tab=general', needs: 'organization_manager', icon: 'manager' },
  { name: 'mail', href: '/organization/manager?tab=mail', needs: 'organization_mail', icon: 'alerts' },
  { name: 'security', href: '/organization/manager?tab=security', needs: 'organization_security', icon: 'lock' },
  { name: 'roles', href: '/organization/users?tab=roles', needs: 'organization_users', icon: 'user' },
  { name: 'ldap', href: '/organization/users/ldap/form', needs: 'organization_directory', icon: 'user' },
  { name: 'saml', href: '/organization/users/saml/form', needs: 'organization_security', icon: 'user' },
  { name: 'webhooks', href: '/organization/api?tab=webhooks', needs: 'organization_api', icon: 'terminal' },
  { name: 'calls', href: '/organization/api?tab=calls', needs: 'organization_api', icon: 'terminal' },
] as const satisfies readonly { name: string; href: string; needs: Authority; icon: IconName }[]

const most = 24
const mostDevices = 8

/** What goes by names that the page knows: screens, tabs, what can be begun, networks. */
function useKnown(typed: string, data: ShellData, network: number | null): Hit[] {
  const names = useTranslations('menu')
  const t = useTranslations('shell')
  const networks = useCall('networks/options', {}, { live: true })
  const held = new Set(data.authorities)
  const reachable = (path: string) => network !== null || !path.includes('{n}')
  const screens = data.menus
    .flatMap(item => [item, ...item.children])
    .filter(item => !item.hidden && reachable(item.pathId))
    .map(item => ({
      href: pathOf(item, network),
      text: names(item.name),
      icon: iconOf(item.icon, 'file'),
      trail: goKeys[item.menuId] && `g ${goKeys[item.menuId]}`,
    }))
  const places = (networks.data?.result ?? []).map(one => ({
    ...{ href: `/network/${one.value}/dashboard`, text: one.label, icon: 'networks' as const, trail: t('network') },
  }))
  const own = ownPlaces
    .filter(({ needs, href }) => held.has(needs) && reachable(href))
    .map(({ name, href, icon }) => ({
      ...{ href: href.replace('{n}', String(network)), icon },
      text: t(`places.${name}.name`),
      also: t(`places.${name}.also`),
    }))
  const base = `/network/${network}`
  const settings = (network === null ? [] : data.settings).flatMap(({ list, form, title, add }): Hit[] => [
    { href: `${base}/${list}`, text: title, icon: 'settings', trail: t('settings') },
    ...(add ? [{ href: `${base}/${form}`, text: add, icon: 'plus' as const }] : []),
  ])
  const words = fold(typed).split(/\s+/).filter(Boolean)
  const all: Hit[] = words.length === 0 ? [...screens, ...places] : [...screens, ...settings, ...own, ...places]
  return all.filter(({ text, also }) => words.every(word => fold(`${text} ${also ?? ''}`).includes(word)))
}

/** Devices of the network by name, address, MAC or serial, as their list finds them. */
function useDevices(search: string, network: number | null): Hit[] {
  const may = useMay('devices')
  const input = may &&
    network !== null &&
    search !== '' && { networkId: network, page: 1, pageSize: 10 as const, search }
  const { data } = useCall('devices/list', input || null, { keep: false })
  return (data?.result ?? []).slice(0, mostDevices).map(device => ({
    href: `/network/${network}/devices/detail?id=${device.id}`,
    text: device.name,
    icon: iconOf(device.kind, 'devices'),
    trail: device.address,
  }))
}

/** Settings by name, clients, and ports of switches. */
function useThings(search: string, { settings }: ShellData, network: number | null): Hit[] {
  const t = useTranslations('shell')
  const input = network !== null && search !== '' ? { networkId: network, search } : null
  const { data } = useCall('search/find', input, { keep: false })
  if (!data) return []
  const kinds = new Map(settings.map(one => [one.id as string, one]))
  const detail = (id: number, more: Record<string, string>) =>
    `/network/${network}/devices/detail?${new URLSearchParams({ id: String(id), ...more })}`
  return [
    ...data.settings.flatMap(({ kind, id, name }): Hit[] => {
      const of = kinds.get(kind)
      const href = `/network/${network}/${of?.form}?id=${id}`
      return of ? [{ href, text: name, icon: kind === 'ssid' ? 'wifi' : 'settings', trail: of.one }] : []
    }),
    ...data.clients.map(({ mac, name, address, deviceName, port, ssid }): Hit => {
      const where = [ssid ?? port, deviceName].filter(Boolean).join(', ')
      const shown = [name ?? mac.toUpperCase(), address].filter(Boolean).join(' · ')
      return { href: `/network/${network}/clients/detail?id=${mac}`, text: shown, icon: 'clients', trail: where }
    }),
    ...data.ports.map(({ device, deviceName, label }): Hit => {
      return { href: detail(device, { port: label }), text: t('port', { label }), icon: 'switch', trail: deviceName }
    }),
  ]
}

/** Everything that fits what was typed, the nearest sort first. A place that goes by two names stands there twice. */
export function useHits(typed: string, data: ShellData, network: number | null): Hit[] {
  const search = useSettled(typed.trim())
  const known = useKnown(typed, data, network)
  const devices = useDevices(search, network)
  const things = useThings(search, data, network)
  return [...known, ...devices, ...things].slice(0, most)
}

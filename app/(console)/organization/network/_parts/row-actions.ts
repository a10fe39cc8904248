import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import type { MenuGroup } from '@/app/_ui/menu'
import { toast } from '@/app/_ui/toast'
import type { Asking, Network, Run } from './rows'
import { isOffered, useShareActions } from './share-actions'

/** The order of all networks with one moved by `by` places. */
export function moved(ids: readonly number[], id: number, by: number): number[] {
  const at = ids.indexOf(id)
  const rest = ids.filter(one => one !== id)
  const to = Math.min(rest.length, Math.max(0, at + by))
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}

/** What can be done with one network, as a menu. */
export function useRowActions(ask: (asking: Asking) => void): (network: Network) => MenuGroup[] {
  const t = useTranslations('networks')
  const common = useTranslations('common')
  const mayEdit = useMay('organization_network_add')
  const mayWifi = useMay('settings_wifi_edit')
  const options = useCall('networks/options', {}, { live: true })
  const own = options.data?.result.filter(option => option.access === 'own')
  const ids = own?.map(option => option.value) ?? []

  const run: Run = async (path, input, said) => {
    // A failure is told by a toast; the list stays as it is.
    const done = await callApi(path, input).then(
      () => true,
      () => false,
    )
    if (done && said) toast('ok', said)
  }
  const { between, giveBack } = useShareActions(ask, run)
  return network => {
    const { id, networkName: name } = network
    const open = { label: t('open'), icon: 'right', href: `/network/${id}/dashboard` } as const
    const file = { label: t('export'), icon: 'download', onSelect: () => ask({ what: 'export', network }) } as const
    if (network.access !== 'own') return [{ actions: [open] }, ...(mayEdit ? [{ actions: [giveBack(network)] }] : [])]
    const ssid = {
      label: t('globalSsid.action'),
      icon: 'wifi',
      disabled: ids.length < 2,
      onSelect: () => ask({ what: 'globalSsid', network }),
    } as const
    const copies = mayWifi ? [file, ssid] : [file]
    if (!mayEdit) return [{ actions: [open] }, { actions: copies }]
    return [
      {
        actions: [
          open,
          { label: t('edit'), icon: 'edit', href: `/organization/overview/form?id=${id}` },
          {
            label: t('makeDefault'),
            icon: 'star',
            disabled: network.isDefault || isOffered(network),
            onSelect: () => void run('networks/default', { id }, t('nowDefault', { name })),
          },
        ],
      },
      {
        actions: [
          {
            label: t('moveUp'),
            icon: 'arrowUp',
            disabled: ids[0] === id,
            onSelect: () => void run('networks/sort', { ids: moved(ids, id, -1) }, common('done.moved')),
          },
          {
            label: t('moveDown'),
            icon: 'arrowDown',
            disabled: ids.at(-1) === id,
            onSelect: () => void run('networks/sort', { ids: moved(ids, id, 1) }, common('done.moved')),
          },
        ],
      },
      {
        actions: [{ label: t('clone'), icon: 'copy', onSelect: () => ask({ what: 'clone', network }) }, ...copies],
      },
      { actions: between(network) },
      {
        actions: [
          { label: t('delete'), icon: 'trash', danger: true, onSelect: () => ask({ what: 'delete', network }) },
        ],
      },
    ]
  }
}

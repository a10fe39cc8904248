import { useTranslations } from 'next-intl'
import type { MenuAction } from '@/app/_ui/menu'
import type { Asking, Network, Run } from './rows'

/** Rules S2, S3: while another company has, or is to have, a part in it. */
export const isOffered = ({ shareStatus, transfer }: Network): boolean => shareStatus > 0 || transfer

/** What is done with a network between companies: `between` by whose it is, `giveBack` by whom it is shared with. */
export function useShareActions(ask: (asking: Asking) => void, run: Run) {
  const t = useTranslations('networks.share')
  const share = (network: Network): MenuAction => ({
    label: t('action'),
    icon: 'share',
    disabled: network.isDefault || network.transfer,
    onSelect: () => ask({ what: 'share', network }),
  })
  const handOver = (network: Network): MenuAction => ({
    label: t('handOver'),
    icon: 'external',
    disabled: network.isDefault || isOffered(network),
    onSelect: () => ask({ what: 'handOver', network }),
  })
  const takeBack = ({ id, networkName: name }: Network): MenuAction => ({
    label: t('takeBack'),
    icon: 'undo',
    onSelect: () => void run('networks/transfer/cancel', { networkId: id }, t('takenBack', { name })),
  })
  return {
    between: (network: Network): MenuAction[] => [
      share(network),
      network.transfer ? takeBack(network) : handOver(network),
    ],
    giveBack: (network: Network): MenuAction => ({
      label: t('giveBack'),
      icon: 'undo',
      onSelect: () => ask({ what: 'giveBack', network }),
    }),
  }
}

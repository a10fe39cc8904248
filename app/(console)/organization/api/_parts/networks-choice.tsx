import { useTranslations } from 'next-intl'
import { SwitchField } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'

export type NetworksChosen = { allNetworks: boolean; networks: string[] }

type Props = {
  /** Whose words say what it is about. */
  words: 'api.keys' | 'webhooks'
  offered: readonly { id: number; name: string }[]
  value: NetworksChosen
  onChange: (change: Partial<NetworksChosen>) => void
  error: string | undefined
}

/** Of which networks: all, also later ones, or some. */
export function NetworksChoice({ words, offered, value: { allNetworks, networks }, onChange, error }: Props) {
  const t = useTranslations(words)
  return (
    <>
      <SwitchField
        label={t('allNetworks')}
        help={t('allNetworksHelp')}
        checked={allNetworks}
        onChange={next => onChange({ allNetworks: next })}
      />
      {!allNetworks && (
        <MultiSelect
          label={t('networks')}
          error={error}
          value={networks}
          options={offered.map(network => ({ value: String(network.id), label: network.name }))}
          onChange={next => onChange({ networks: next })}
        />
      )}
    </>
  )
}

export const isChosen = ({ allNetworks, networks }: NetworksChosen): boolean => allNetworks || networks.length > 0

/** As calls take it. */
export const networksOf = ({ allNetworks, networks }: NetworksChosen) => ({
  allNetworks,
  networks: allNetworks ? [] : networks.map(Number),
})

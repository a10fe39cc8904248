'use client'
import { useTranslations } from 'next-intl'
import { type CallInput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ComboField } from '@/app/_ui/combo-field'
import { SelectField } from '@/app/_ui/select-field'
import { shownTheme } from '@/app/_ui/theme'

const appearances = [0, 1, 2, 3] as const

/** What this browser shows whatever the account says: for one on a wall, or one that is shared. */
export function BrowserCard() {
  const t = useTranslations('account.browser')
  const themes = useTranslations('account.appearances')
  const networks = useCall('networks/options', {})
  const active = useCall('networks/active', {})
  const languages = useCall('language/get', {})
  const { busy, run } = useSubmit<'set' | 'clear'>()
  // The server draws the next page in what was chosen.
  const choose = (given: CallInput<'session/set'>) =>
    run('set', async () => {
      await callApi('session/set', given)
      window.location.reload()
    })
  const clear = () =>
    run('clear', async () => {
      await callApi('session/clear', {})
      window.location.reload()
    })
  if (!networks.data || !languages.data) return null
  return (
    <Card
      title={t('title')}
      pad
      footer={
        <Button busy={busy === 'clear'} onClick={() => void clear()}>
          {t('clear')}
        </Button>
      }
    >
      <div className="stack">
        <p className="soft">{t('help')}</p>
        {networks.data.total > 1 && (
          <ComboField
            label={t('network')}
            value={String(active.data?.networkId ?? '')}
            options={networks.data.result.map(one => ({ value: String(one.value), label: one.label }))}
            onChange={next => void choose({ networkId: Number(next) })}
          />
        )}
        <div className="two-columns">
          <SelectField
            label={t('language')}
            value={languages.data.current}
            options={languages.data.result.map(({ code, name }) => ({ value: code, label: name }))}
            onChange={lang => void choose({ lang })}
          />
          <SelectField
            label={t('appearance')}
            value={String(shownTheme())}
            options={appearances.map(one => ({ value: String(one), label: themes(`${one}`) }))}
            onChange={next => void choose({ appearance: Number(next) })}
          />
        </div>
      </div>
    </Card>
  )
}

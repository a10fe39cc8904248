import { useTranslations } from 'next-intl'
import { Glyph } from './status'

export type ShownRule = { text: string; met: boolean }

/** What a value has to meet, each said and ticked while it is typed; it stays while mistakes are mended. */
export function RuleList({ rules }: { rules: readonly ShownRule[] }) {
  const t = useTranslations('common.rules')
  return (
    <ul className="rule-list">
      {rules.map(({ text, met }) => (
        <li key={text} className={met ? 'met' : undefined}>
          <Glyph shape={met ? 'check' : 'ring'} />
          <span>
            {text}
            <span className="visually-hidden">{t(met ? 'met' : 'unmet')}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Rules A6 and A7 of a name that is both signed in with and shown, as the setup asks for it. */
export function useAccountRules(name: string): ShownRule[] {
  const t = useTranslations('common.rules')
  const text = name.trim()
  return [
    { text: t('lettersAndDigits'), met: /^[a-z0-9]+$/i.test(text) },
    { text: t('oneLetter'), met: /[a-z]/i.test(text) },
    { text: t('oneDigit'), met: /\d/.test(text) },
  ]
}

/** Rule A6: the name to sign in with. */
export function useSignInNameRules(name: string): ShownRule[] {
  const t = useTranslations('common.rules')
  return [{ text: t('lettersAndDigits'), met: /^[a-z0-9]+$/i.test(name.trim()) }]
}

/** Rule A7: what somebody is called. */
export function useUserNameRules(name: string): ShownRule[] {
  const t = useTranslations('common.rules')
  const text = name.trim()
  return [
    { text: t('notOnlyLetters'), met: text !== '' && !/^\p{L}+$/u.test(text) },
    { text: t('notOnlyDigits'), met: text !== '' && !/^\d+$/.test(text) },
  ]
}

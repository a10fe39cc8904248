'use client'
import { useTranslations } from 'next-intl'
import type { CallInput, CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import { Moment, useClock } from '@/app/_ui/clock'
import { useSettled } from '@/app/_ui/use-settled'
import type { Assign } from '@/model/assign'
import { type LogRule, logRule, logRuleTerms } from '@/model/insight/log-rule'
import { check, type Data } from '@/model/kind'
import './log-matches.css'
import { cleaned } from './values'

type Input = CallInput<'logs/matches'>
type Props = { fields: Data; assign: Assign }

/** What a rule's form says so far; undefined while that is no rule. */
function asked({ fields, assign }: Props): Input | undefined {
  const judged = check(logRule, { ...cleaned(logRule, fields), name: logRule.id })
  if (!('data' in judged)) return undefined
  const values = judged.data as LogRule
  return { ...logRuleTerms.strip().parse(values), assign } as Input
}

/** What a log rule would have found in the last day, while it is made: whether it is right is seen before it is saved. */
export function LogMatches(props: Props) {
  const t = useTranslations('logRules.matches')
  const text = useFailureText()
  const may = useMay('logs')
  const now = asked(props)
  const settled = useSettled(now ? JSON.stringify(now) : '')
  const input = now && settled && may ? (JSON.parse(settled) as Input) : null
  const { data, error } = useNetworkCall('logs/matches', input)
  if (!may) return null
  return (
    <section className="log-matches" aria-label={t('title')} aria-live="polite">
      <b>{t('title')}</b>
      {!now ? (
        <p className="muted">{t('incomplete')}</p>
      ) : error ? (
        <p className="muted">{text(error)}</p>
      ) : data && input ? (
        <Found found={data} />
      ) : (
        <p className="muted">{t('waiting')}</p>
      )}
    </section>
  )
}

function Found({ found }: { found: CallOutput<'logs/matches'> }) {
  const t = useTranslations('logRules.matches')
  const clock = useClock()
  const { lines, devices, alerts, latest, searchedTo } = found
  return (
    <>
      <p>
        {lines === 0 ? t('none') : `${t('found', { lines, devices })} ${t('alerts', { count: alerts })}`}
        {searchedTo !== undefined && (
          <span className="soft"> {t('searchedTo', { at: clock.dateTime(searchedTo) })}</span>
        )}
      </p>
      {latest.length > 0 && (
        <details>
          <summary>{t('latest')}</summary>
          <ul>
            {latest.map(line => (
              <li key={line.id}>
                <span className="soft">
                  <Moment at={line.at} seconds /> · {line.device?.name ?? t('gone')}
                </span>
                <bdi>{line.tag === '' ? line.text : `${line.tag}: ${line.text}`}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

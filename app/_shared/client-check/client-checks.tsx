import { useLocale, useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'
import { useClock } from '@/app/_ui/clock'
import { short } from '@/app/_ui/format'
import { Note } from '@/app/_ui/note'
import { type StateName, Status } from '@/app/_ui/status'
import { type Check, type CheckState, causeOf, checkNames, stateOf } from '@/model/troubleshooting/client-check'
import './client-checks.css'

const looks: Readonly<Record<CheckState, StateName>> = {
  fine: 'fine',
  fair: 'warning',
  poor: 'failed',
  unknown: 'unknown',
  none: 'unsupported',
}

/** Said in full where this value is known. */
const fuller: Readonly<Record<string, readonly [value: string, key: string]>> = {
  connected: ['place', 'connectedTo'],
  gone: ['place', 'goneFrom'],
  lease: ['until', 'leaseUntil'],
  answers: ['ms', 'answersIn'],
}

/** Debian's packages of the programs that a gateway needs. */
const packages: Readonly<Record<string, string>> = { nslookup: 'bind9-dnsutils', ping: 'iputils-ping' }

/** What a check saw, and what to do next where it is not fine; '' where there is nothing to do. */
function useSentences() {
  const t = useTranslations('clientCheck')
  const clock = useClock()
  const locale = useLocale()
  const shown = (name: string, value: string | number) =>
    typeof value === 'string' ? value : /^(at|until)$/.test(name) ? clock.dateTime(value) : short(value, locale)
  return ({ what, reason, values }: Check) => {
    const counted = /^(frames|errors|ports)$/
    const told = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, counted.test(name) ? value : shown(name, value)]),
    )
    const words = { ...told, package: packages[String(values.program)] ?? String(values.program ?? '') }
    const [value = '', key = ''] = fuller[reason] ?? []
    const isFull = values[value] !== undefined && values[value] !== ''
    return {
      seen: wordOr(t, `seen.${what}.${isFull ? key : reason}`, reason, words),
      next: wordOr(t, `next.${what}.${reason}`, '', words),
    }
  }
}

/** The checks as lines of text: name, state, what was measured, next step. */
export function useCheckLines(): (checks: readonly Check[]) => string[] {
  const t = useTranslations('clientCheck')
  const sentences = useSentences()
  return checks =>
    checks.map(one => {
      const { seen, next } = sentences(one)
      const head = `${t(`checks.${one.what}`)} – ${t(`states.${stateOf(one)}`)}:`
      return [head, seen, next].filter(Boolean).join(' ')
    })
}

/** Each check with what was measured, who told it, and the next step; above them what it comes to. */
export function ClientChecks({ checks, running }: { checks: readonly Check[]; running: boolean }) {
  const t = useTranslations('clientCheck')
  const sentences = useSentences()
  const done = new Map(checks.map(one => [one.what, one]))
  return (
    <div className="client-checks">
      {running ? (
        <p className="soft">{t('waiting')}</p>
      ) : (
        checks.length === checkNames.length && <Verdict checks={checks} />
      )}
      <ol aria-label={t('title')}>
        {checkNames.map(what => {
          const one = done.get(what)
          if (!one) return running && <Waiting key={what} name={t(`checks.${what}`)} />
          const state = stateOf(one)
          const { seen, next } = sentences(one)
          return (
            <li key={what}>
              <Status state={looks[state]} label={t(`states.${state}`)}>
                {t(`checks.${what}`)}
              </Status>
              <div>
                <span className={state === 'none' || state === 'unknown' ? 'muted' : undefined}>{seen}</span>
                {one.from && <span className="muted fine-print">{t('measuredBy', { device: one.from })}</span>}
                {next && <span className="next">{next}</span>}
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const Waiting = ({ name }: { name: string }) => (
  <li>
    <Status state="queued">{name}</Status>
    <div />
  </li>
)

function Verdict({ checks }: { checks: readonly Check[] }) {
  const t = useTranslations('clientCheck')
  const locale = useLocale()
  const sentences = useSentences()
  const list = (of: CheckState) =>
    new Intl.ListFormat(locale, { type: 'conjunction' }).format(
      checks.filter(one => stateOf(one) === of).map(one => t(`checks.${one.what}`)),
    )
  const count = checks.filter(one => stateOf(one) === 'unknown').length
  const cause = causeOf(checks)
  if (cause) {
    const { seen, next } = sentences(cause)
    return (
      <Note tone="bad" title={t('cause', { check: t(`checks.${cause.what}`) })}>
        {seen} {next}
      </Note>
    )
  }
  const fair = list('fair')
  const unknown = count > 0 ? t('unknown', { count, checks: list('unknown') }) : ''
  const title = fair ? t('suspect', { checks: fair }) : t(count > 0 ? 'nothingUnknown' : 'nothing')
  return (
    <Note tone={fair ? 'warn' : count > 0 ? 'info' : 'ok'} title={title}>
      {unknown} {t('intermittent')}
    </Note>
  )
}

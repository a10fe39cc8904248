import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useMay } from '@/app/_api/may'
import { Moment } from '@/app/_ui/clock'
import { actionsColumn, type Column } from '@/app/_ui/data-table-types'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Status } from '@/app/_ui/status'
import { ScreenLink } from '@/app/(console)/_shell/screen-link'
import { patternOfLine } from '@/model/insight/log-pattern'
import { limits } from '@/model/limits'
import { kinds } from '@/model/registry'
import { isTrap, type LogLine, type Severity, stateOf } from './rows'

/** A rule for lines like this one: its form, filled. Not where there is nothing to look for. */
function ruleOf({ tag, text }: LogLine): string | undefined {
  const pattern = patternOfLine(tag, text)
  if (pattern === '') return undefined
  const name = pattern
    .replace(/[*\s]+/g, ' ')
    .slice(0, limits.logRuleNameCharacters)
    .trim()
  return `${kinds.logRule.form}?${new URLSearchParams({ text: pattern, name })}`
}

export function useColumns(): Column<LogLine>[] {
  const t = useTranslations('logs')
  const { networkId } = useParams<{ networkId: string }>()
  const mayMakeRules = useMay('settings_system_edit')
  const makeRule: Column<LogLine> = {
    ...actionsColumn(t('rules'), line => {
      const rule = line.device ? ruleOf(line) : undefined
      return (
        rule && (
          <Link
            className="button icon-only small ghost log-rule"
            href={`/network/${networkId}/${rule}`}
            aria-label={t('makeRule')}
            title={t('makeRule')}
          >
            <Icon name="alerts" size="sm" />
          </Link>
        )
      )
    }),
    phone: 'extra',
  }
  return [
    {
      key: 'at',
      label: t('columns.at'),
      fixed: true,
      phone: 'key',
      width: '180px',
      cell: line => <Moment at={line.at} seconds />,
    },
    {
      key: 'severity',
      label: t('columns.severity'),
      phone: 'state',
      width: '120px',
      cell: ({ severity }) =>
        severity === undefined ? (
          <span className="muted">{t('noSeverity')}</span>
        ) : (
          <Status state={stateOf(severity)}>{t(`severities.${String(severity) as Severity}`)}</Status>
        ),
    },
    {
      key: 'device',
      label: t('columns.device'),
      phone: 'extra',
      width: '150px',
      cell: ({ device, source, host }) =>
        device ? (
          <ScreenLink needs="devices" href={`/network/${networkId}/devices/detail?id=${device.id}`}>
            {device.name}
          </ScreenLink>
        ) : (
          <bdi className="ip" title={host}>
            {source ?? t('gone')}
          </bdi>
        ),
    },
    {
      key: 'tag',
      label: t('columns.tag'),
      until: 1180,
      width: '150px',
      cell: line => <bdi className="soft log-word">{line.tag}</bdi>,
    },
    {
      key: 'text',
      label: t('columns.text'),
      phone: 'title',
      wrap: true,
      cell: line => (
        <span className="log-text">
          {isTrap(line) && <bdi className="log-name">{line.tag}</bdi>}
          <bdi>{line.text}</bdi>
          {isTrap(line) && <span className="muted"> {t(`ways.${line.way}`)}</span>}
          {line.cut !== undefined && <span className="muted"> {t('cut', { count: line.cut })}</span>}
        </span>
      ),
    },
    ...(mayMakeRules ? [makeRule] : []),
  ]
}

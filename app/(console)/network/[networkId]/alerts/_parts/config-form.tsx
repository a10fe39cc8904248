'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { Fold } from '@/app/_form/fold'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button, LinkButton } from '@/app/_ui/button'
import { CheckboxGroup } from '@/app/_ui/check'
import { NumberField } from '@/app/_ui/field'
import { PageHead } from '@/app/_ui/page-head'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { alertConfig } from '@/model/notify/alert-config'
import { switchable, thresholds } from '@/model/notify/catalogue'
import { MaintenanceCard } from './maintenance-card'
import { QuietFields } from './quiet-fields'
import { SeverityFields } from './severity-fields'

type Config = CallOutput<'alerts/config/query'>

/** What the people of a network are told of, and from when on. */
export function ConfigForm() {
  const t = useTranslations('alerts.config')
  const call = useNetworkCall('alerts/config/query', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} />
      <section className="card" style={{ maxInlineSize: 'var(--form-max)' }}>
        {call.data ? (
          <Form key={call.data.revision} config={call.data} />
        ) : call.error ? (
          <ErrorState error={call.error} onRetry={() => void call.mutate()} />
        ) : (
          <SkeletonLines lines={4} />
        )}
      </section>
      <div style={{ maxInlineSize: 'var(--form-max)', marginBlockStart: 16 }}>
        <MaintenanceCard />
      </div>
    </>
  )
}

type Wanted = Config['values']
/** An emptied number is refused at its field. */
type Values = { [K in keyof Wanted]: Wanted[K] extends number ? number | undefined : Wanted[K] }

const numbers = ['levelMinutes', ...thresholds.map(one => one.field)] as const
const usual = alertConfig.parse({})

function Form({ config }: { config: Config }) {
  const t = useTranslations('alerts.config')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const mayEdit = useMay('alerts_edit')
  const { values, field, put, changed } = useFields<Values>(config.values)
  const { errors, busy, run } = useSubmit<'save'>()
  const back = `/network/${networkId}/alerts`
  const save = () =>
    run('save', async () => {
      const input = { ...values, revision: config.revision } as CallInput<'alerts/config/save'>
      await callApi('alerts/config/save', withNetwork(input))
      toast('ok', t('saved'))
      router.push(back)
    })
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <LeaveGuard on={changed} busy={busy !== undefined} />
      <fieldset className="form-section" disabled={!mayEdit}>
        <h2>{t('offline')}</h2>
        <NumberField label={t('offlineMinutes')} help={t('offlineMinutesHelp')} {...field('offlineMinutes', errors)} />
      </fieldset>
      <Fold
        id="levels"
        title={t('levels')}
        differs={numbers.filter(name => values[name] !== usual[name]).map(name => t(`fields.${name}`))}
        wrong={numbers.some(name => errors[name] !== undefined)}
      >
        <fieldset className="contents" disabled={!mayEdit}>
          {numbers.map(name => (
            <NumberField key={name} label={t(`fields.${name}`)} help={t(`helps.${name}`)} {...field(name, errors)} />
          ))}
        </fieldset>
      </Fold>
      <Fold
        id="events"
        title={t('events')}
        differs={switchable
          .filter(one => values.off.includes(one) !== usual.off.includes(one))
          .map(one => t(`event.${one}`))}
        wrong={errors.off !== undefined}
      >
        <fieldset className="contents" disabled={!mayEdit}>
          <CheckboxGroup
            label={t('eventsLabel')}
            help={t('eventsHelp')}
            error={errors.off}
            options={switchable.map(value => ({ value, label: t(`event.${value}`) }))}
            value={switchable.filter(one => !values.off.includes(one))}
            onChange={on => put({ off: switchable.filter(one => !on.includes(one)) })}
          />
        </fieldset>
      </Fold>
      <fieldset className="form-section" disabled={!mayEdit}>
        <h2>{t('severity')}</h2>
        <p className="soft">{t('severityHelp')}</p>
      </fieldset>
      <SeverityFields {...{ put, errors, mayEdit }} value={values} />
      <fieldset className="form-section" disabled={!mayEdit}>
        <h2>{t('quiet.title')}</h2>
        <QuietFields value={values} put={put} errors={errors} />
      </fieldset>
      <div className="form-section form-end">
        <LinkButton href={back}>{t('back')}</LinkButton>
        {mayEdit && (
          <Button type="submit" kind="primary" busy={busy !== undefined}>
            {t('save')}
          </Button>
        )}
      </div>
    </form>
  )
}

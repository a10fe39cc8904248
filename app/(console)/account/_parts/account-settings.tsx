'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { ChoiceCards } from '@/app/_ui/check'
import { useNow } from '@/app/_ui/clock'
import { NumberField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { SelectField } from '@/app/_ui/select-field'
import { Loaded } from '@/app/_ui/states'
import { formatDateTime } from '@/app/_ui/time'
import { ZoneField } from '@/app/_ui/zone-field'
import { type DateFormat, dateFormats } from '@/model/date-formats'
import { EmailChange } from './email-change'
import { MfaCard } from './mfa-card'
import { PasswordCard } from './password-card'
import { SessionsCard } from './sessions-card'

type Info = CallOutput<'account/info'>
type Values = {
  locale: string
  timezone: string
  format: DateFormat
  hour: 12 | 24
  appearance: number
  /** Undefined where one time-out holds for everybody. */
  sessionTimeout: number | undefined
}
const appearances = [0, 1, 2, 3] as const
/** The page is drawn anew in the new language after this time (specification section 9). */
const reloadMs = 300

/** How the console looks and reads for this account. */
export function AccountSettings() {
  const t = useTranslations('account')
  const roles = useTranslations('roles.builtIn')
  const call = useCall('account/info', {}, { keep: false })
  return (
    <>
      <PageHead title={t('title')} />
      <div className="stack">
        <Loaded call={call} lines={6}>
          {info => (
            <div className="stack" style={{ maxInlineSize: 'var(--form-max)' }}>
              <Card pad>
                <KeyValues
                  rows={[
                    [t('account'), info.account],
                    [
                      t('role'),
                      info.roleName || (roles.has(info.role) ? roles(info.role as 'guestEditor') : info.role),
                    ],
                    info.email !== '' && [t('email'), info.email],
                    [t('timeout'), t('minutes', { count: info.sessionTimeout })],
                  ]}
                />
                {info.source === 'local' && <EmailChange email={info.email} />}
              </Card>
              <Form info={info} />
              {info.source === 'saml' ? (
                <Note tone="info" title={t('sso')}>
                  {t('ssoHelp')}
                </Note>
              ) : (
                <>
                  <PasswordCard />
                  <MfaCard />
                </>
              )}
            </div>
          )}
        </Loaded>
        <SessionsCard />
      </div>
    </>
  )
}

const valuesOf = ({ locale, timezone, timeFormat, appearance, sessionTimeout, ownTimeout }: Info): Values => ({
  locale,
  timezone,
  format: dateFormats.find(format => format === timeFormat.format) ?? 'yyyy-MM-dd',
  hour: timeFormat.hour === 12 ? 12 : 24,
  appearance,
  sessionTimeout: ownTimeout ? sessionTimeout : undefined,
})

function useSave() {
  const refresh = useRefresh()
  const { errors, busy, run } = useSubmit<'save'>()
  // Stays busy until the page is drawn anew.
  const [saved, setSaved] = useState(false)
  const save = ({ locale, timezone, format, hour, appearance, sessionTimeout }: Values) =>
    run('save', async () => {
      await callApi('account/save', { timezone, timeFormat: { format, hour }, appearance, sessionTimeout })
      if (locale) await callApi('language/set', { lang: locale })
      await refresh('account/info')
      setSaved(true)
      setTimeout(() => window.location.reload(), reloadMs)
    })
  return { busy: saved || busy !== undefined, errors, save }
}

function Form({ info }: { info: Info }) {
  const t = useTranslations('account')
  const languages = useCall('language/get', {})
  const [values, setValues] = useState(() => valuesOf(info))
  const { busy, errors, save } = useSave()
  const now = useNow()
  const put = (change: Partial<Values>) => setValues({ ...values, ...change })
  const current = values.locale || languages.data?.current || 'en'
  const example = (format: DateFormat) =>
    now === undefined ? format : formatDateTime(now, { format, hour: values.hour, timeZone: values.timezone })
  return (
    <form
      className="card"
      onSubmit={event => {
        event.preventDefault()
        void save({ ...values, locale: current })
      }}
    >
      <div className="sec">
        <SelectField
          label={t('language')}
          value={current}
          options={(languages.data?.result ?? []).map(({ code, name }) => ({ value: code, label: name }))}
          onChange={locale => put({ locale })}
        />
        <ZoneField label={t('timezone')} value={values.timezone} onChange={timezone => put({ timezone })} />
        <div className="two">
          <SelectField
            label={t('format')}
            help={example(values.format)}
            value={values.format}
            options={dateFormats.map(format => ({ value: format, label: format }))}
            onChange={format => put({ format: format as DateFormat })}
          />
          <SelectField
            label={t('clock')}
            value={String(values.hour)}
            options={[24, 12].map(hour => ({ value: String(hour), label: t(`hours.${hour as 24}`) }))}
            onChange={hour => put({ hour: Number(hour) as 12 | 24 })}
          />
        </div>
        {info.ownTimeout && (
          <NumberField
            label={t('timeout')}
            help={t('timeoutHelp')}
            unit={t('timeoutUnit')}
            value={values.sessionTimeout}
            onChange={sessionTimeout => put({ sessionTimeout })}
            error={errors.sessionTimeout}
          />
        )}
        <ChoiceCards
          label={t('appearance')}
          value={String(values.appearance)}
          options={appearances.map(one => ({
            value: String(one),
            label: t(`appearances.${one}`),
            help: t(`appearanceHelp.${one}`),
          }))}
          onChange={one => put({ appearance: Number(one) })}
        />
      </div>
      <div className="sec form-end">
        <Button type="submit" kind="primary" busy={busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

'use client'
import './template.css'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { CheckboxGroup } from '@/app/_ui/check'
import { Crumb } from '@/app/_ui/crumb'
import { TextField } from '@/app/_ui/field'
import { PageHead } from '@/app/_ui/page-head'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { perPage, printFormats, qrChoices } from '@/model/guests/voucher-print'
import { type Template as Fields, templateFacts } from '@/model/guests/voucher-template'
import { limits } from '@/model/limits'
import type { Template } from '../../_parts/rows'
import { LogoField } from './logo-field'
import { Preview } from './preview'

const noWifi = 'none'
const fresh: Fields = {
  ...{ name: '', format: 'a4', perPage: 18, heading: '', text: '', logo: '', qr: 'voucher' },
  facts: [...templateFacts],
}
type Part = Pick<ReturnType<typeof useFields<Fields>>, 'values' | 'put' | 'field'> & {
  errors: Readonly<Record<string, string>>
}

/** The form of a template, with a voucher as it comes out beside it. */
export function Editor({ template, onClose }: { template: Template | undefined; onClose: () => void }) {
  const t = useTranslations('vouchers.templates')
  const { id, revision, ...held } = template ?? { id: undefined, revision: undefined, ...fresh }
  const fields = useFields<Fields>(held)
  const { errors, busy, run } = useSubmit<'save'>()
  const { values } = fields
  const save = async () => {
    const about = id === undefined ? {} : { id, revision }
    await callApi('vouchers/templates/save', withNetwork({ ...about, ...values }))
    toast('ok', t('saved'))
    onClose()
  }
  const ready = values.name.trim() !== '' && busy === undefined
  return (
    <>
      {template && <Crumb name={template.name} />}
      <PageHead title={template?.name ?? t('newTitle')} />
      <div className="template">
        <section className="card">
          <form
            onSubmit={event => {
              event.preventDefault()
              if (ready) void run('save', save)
            }}
          >
            <LeaveGuard on={fields.changed} busy={busy !== undefined} />
            <div className="form-section">
              <Texts {...fields} errors={errors} />
            </div>
            <div className="form-section">
              <Paper {...fields} errors={errors} />
            </div>
            <div className="form-section">
              <div className="form-end">
                <Button onClick={onClose}>{t('cancel')}</Button>
                <Button type="submit" kind="primary" busy={busy !== undefined} disabled={values.name.trim() === ''}>
                  {t('save')}
                </Button>
              </div>
            </div>
          </form>
        </section>
        <Card title={t('preview')} pad className="template-preview">
          <p className="muted fine-print">{t('previewHelp')}</p>
          <Preview values={values} />
        </Card>
      </div>
    </>
  )
}

function Texts({ values, put, field, errors }: Part) {
  const t = useTranslations('vouchers.templates')
  return (
    <>
      <TextField
        label={t('name')}
        autoComplete="off"
        maxLength={limits.voucherGroupNameCharacters}
        {...field('name', errors)}
      />
      <LogoField value={values.logo} error={errors.logo} onChange={logo => put({ logo })} />
      <TextField
        label={t('heading')}
        help={t('headingHelp')}
        optional
        autoComplete="off"
        maxLength={limits.templateCharacters}
        {...field('heading', errors)}
      />
      <TextField
        label={t('text')}
        help={t('textHelp')}
        optional
        autoComplete="off"
        maxLength={limits.templateCharacters}
        {...field('text', errors)}
      />
      <CheckboxGroup
        label={t('facts')}
        options={templateFacts.map(one => ({ value: one, label: t(`fact.${one}`) }))}
        value={values.facts}
        onChange={facts => put({ facts: templateFacts.filter(one => facts.includes(one)) })}
      />
    </>
  )
}

function Paper({ values, put, errors }: Part) {
  const t = useTranslations('vouchers.print')
  const { data } = useNetworkCall('vouchers/settings', {})
  const networks = (data?.ssids ?? []).map(one => ({ value: one.id, label: one.name }))
  return (
    <>
      <SelectField
        label={t('format')}
        value={values.format}
        error={errors.format}
        options={printFormats.map(one => ({ value: one, label: t(`formats.${one}`) }))}
        onChange={format => put({ format: format as Fields['format'] })}
      />
      {values.format === 'a4' && (
        <SelectField
          label={t('perPage')}
          value={String(values.perPage)}
          error={errors.perPage}
          options={perPage.map(one => ({ value: String(one), label: String(one) }))}
          onChange={one => put({ perPage: Number(one) as Fields['perPage'] })}
        />
      )}
      <SelectField
        label={t('wifi')}
        value={values.ssid ?? noWifi}
        error={errors.ssid}
        options={[{ value: noWifi, label: t('noWifi') }, ...networks]}
        onChange={ssid => put({ ssid: ssid === noWifi ? undefined : ssid })}
      />
      <SelectField
        label={t('qr')}
        value={values.qr}
        error={errors.qr}
        options={qrChoices.map(one => ({ value: one, label: t(`qrs.${one}`) }))}
        onChange={qr => put({ qr: qr as Fields['qr'] })}
      />
    </>
  )
}

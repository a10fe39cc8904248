import { useTranslations } from 'next-intl'
import type { CSSProperties } from 'react'
import { useNetworkCall } from '@/app/_api/use-call'
import type { QrChoice } from '@/model/guests/voucher-print'
import { boxesOf, sheetOf } from '@/model/guests/voucher-sheet'
import type { Template } from '@/model/guests/voucher-template'
import { Logo } from './logo-field'

/** Squares of a QR code's corners: what a reader takes for one, and a phone for none. */
const corner = 'M0 0h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z'
const Sample = ({ label }: { label: string }) => (
  <svg className="template-qr" viewBox="-1 -1 23 23" role="img" aria-label={label}>
    <path fill="#fff" d="M-1-1h23v23h-23z" />
    <g fillRule="evenodd">
      <path d={corner} />
      <path d={corner} transform="translate(14)" />
      <path d={corner} transform="translate(0 14)" />
      <path d="M9 1h2v3h-2zm0 5h3v2h-3zm-8 3h4v2h-4zm8 1h5v3h-5zm7-1h4v2h-4zm-7 6h2v5h-2zm4 0h3v2h-3zm5-1h2v6h-2zm-4 4h2v2h-2z" />
    </g>
  </svg>
)

function Codes({ qr }: { qr: Exclude<QrChoice, 'none'> }) {
  const t = useTranslations('vouchers.print')
  if (qr !== 'both') return <Sample label={t(`qrs.${qr}`)} />
  return (
    <div className="template-qrs">
      <Sample label={t('qrs.wifi')} />
      <b>{t('sheet.join')}</b>
      <Sample label={t('qrs.voucher')} />
      <b>{t('sheet.enter')}</b>
    </div>
  )
}

/** One voucher in the proportions of its paper, always black on white as it is printed. */
export function Preview({ values }: { values: Template }) {
  const t = useTranslations('vouchers.templates')
  const sheetWords = useTranslations('vouchers.print.sheet')
  const { data } = useNetworkCall('vouchers/settings', {})
  const sheet = sheetOf(values.format, values.perPage, values.qr)
  const [box] = boxesOf(sheet, false)
  if (!box) return null
  const wifi = data?.ssids.find(one => one.id === values.ssid)
  const said = values.facts.filter(one => one !== 'until').map(one => t(`sample.${one}`))
  const facts = [...said, values.text].filter(Boolean)
  const size = {
    '--box-width': box.width,
    '--box-height': box.height,
    '--box-padding': sheet.padding,
  } as CSSProperties
  return (
    <figure className="template-frame" style={size} aria-label={t('previewLabel')}>
      <div
        className={['template-voucher', sheet.stacked && 'stacked', values.qr === 'both' && 'two']
          .filter(Boolean)
          .join(' ')}
      >
        <div className="template-head">
          {values.logo !== '' && <Logo address={values.logo} />}
          <b>{values.heading || t('sample.group')}</b>
          <span>{wifi ? sheetWords('wifi', { name: wifi.name }) : t('sample.network')}</span>
        </div>
        {values.qr !== 'none' && <Codes qr={values.qr} />}
        <div className="template-code">
          <span>{sheetWords('code')}</span>
          <bdi dir="ltr">RJW-8EA-7HX</bdi>
        </div>
        <div className="template-facts">
          {(sheet.stacked ? facts : [facts.join(' · ')]).map(fact => (
            <span key={fact}>{fact}</span>
          ))}
          <span>{values.facts.includes('until') && t('sample.until')}</span>
        </div>
      </div>
    </figure>
  )
}

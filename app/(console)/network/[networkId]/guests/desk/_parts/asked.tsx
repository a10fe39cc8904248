import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFields } from '@/app/_api/use-fields'
import { Segments } from '@/app/_ui/check'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { NumberField, TextField } from '@/app/_ui/field'
import { QrCode } from '@/app/_ui/qr-code'
import { isVoucherRate, type Lasting, lastingProblem, voucherStates } from '@/model/guests/voucher'
import { kbpsOf, Rate, rateOf } from '../../voucher/_parts/rate'
import { aboutOf, type DeskVoucher, type Join, type Picture } from './rows'
import type { Press } from './use-pressed'

type Props = {
  what: 'full' | 'mail' | 'void' | 'time' | 'speed'
  voucher: DeskVoucher
  qr: Picture | undefined
  joins: readonly Join[]
  press: Press
  onClose: () => void
}

/** What a button of a voucher asks or shows first. */
export function Asked({ what, voucher, qr, joins, press, onClose }: Props) {
  if (what === 'void') return <Void {...{ voucher, press, onClose }} />
  if (what === 'mail') return <Mail {...{ voucher, press, onClose }} />
  if (what === 'time') return <AddTime {...{ voucher, press, onClose }} />
  if (what === 'speed') return <Speed {...{ voucher, press, onClose }} />
  return qr ? <Large {...{ voucher, qr, joins, onClose }} /> : null
}

const enter = 'enter'

/** As large as the screen, for the guest's camera: what signs in, and what joins the Wi-Fi before, one at a time. */
function Large({ voucher, qr, joins, onClose }: Pick<Props, 'voucher' | 'joins' | 'onClose'> & { qr: Picture }) {
  const t = useTranslations('desk')
  const [step, setStep] = useState(enter)
  const join = joins.find(one => one.ssid === step)
  const steps = [
    ...joins.map(({ ssid }) => ({ value: ssid, label: t('join', { ssid }) })),
    { value: enter, label: t('enter') },
  ]
  return (
    <Dialog open width="vast" title={voucher.note || voucher.name} onClose={onClose}>
      <div className="desk-large">
        {joins.length > 0 && <Segments label={t('steps')} value={step} onChange={setStep} options={steps} />}
        <QrCode qr={join?.qr ?? qr} label={join ? t('joinPicture', { ssid: join.ssid }) : t('picture')} />
        <bdi dir="ltr" className="voucher-code">
          {voucher.code}
        </bdi>
        <span className="soft">{join ? t('joinScan') : t('scan')}</span>
      </div>
    </Dialog>
  )
}

type Asking = Pick<Props, 'voucher' | 'press' | 'onClose'>

function Void({ voucher, press, onClose }: Asking) {
  const t = useTranslations('desk')
  const out = voucher.state === voucherStates.inUse ? [t('voidOut')] : []
  return (
    <ConfirmDialog
      open
      danger
      title={t('voidTitle')}
      help={aboutOf(voucher)}
      consequences={[t('voidWhat'), ...out, t('voidFinal')]}
      action={t('void')}
      onConfirm={() => press('void', { id: voucher.id }, aboutOf(voucher))}
      onClose={onClose}
    />
  )
}

function Mail({ voucher, press, onClose }: Asking) {
  const t = useTranslations('desk')
  const [email, setEmail] = useState('')
  return (
    <ConfirmDialog
      open
      title={t('mailTitle')}
      help={aboutOf(voucher)}
      action={t('send')}
      disabled={!email.includes('@')}
      onConfirm={() => press('mail', { id: voucher.id, email: email.trim() }, aboutOf(voucher))}
      onClose={onClose}
    >
      <TextField
        label={t('mailTo')}
        help={t('mailHelp')}
        type="email"
        inputMode="email"
        autoComplete="off"
        value={email}
        onChange={setEmail}
      />
    </ConfirmDialog>
  )
}

const anHour = { days: 0, hours: 1, minutes: 0 }
const isLasting = (lasting: Partial<Record<keyof Lasting, number>>): lasting is Lasting =>
  Object.entries(lasting).every(([, value]) => Number.isInteger(value) && Number(value) >= 0) &&
  lastingProblem(lasting as Lasting) === undefined

function AddTime({ voucher, press, onClose }: Asking) {
  const t = useTranslations('desk')
  const form = useTranslations('vouchers.form')
  const { values, field } = useFields<{ [Part in keyof Lasting]: number | undefined }>(anHour)
  const more = { days: values.days ?? 0, hours: values.hours ?? 0, minutes: values.minutes ?? 0 }
  return (
    <ConfirmDialog
      open
      title={t('addTimeTitle')}
      help={aboutOf(voucher)}
      action={t('add')}
      disabled={!isLasting(more)}
      onConfirm={() => press('add-time', { id: voucher.id, ...more }, aboutOf(voucher))}
      onClose={onClose}
    >
      <div className="lasting">
        <NumberField label={form('days')} {...field('days', {})} />
        <NumberField label={form('hours')} {...field('hours', {})} />
        <NumberField label={form('minutes')} {...field('minutes', {})} />
      </div>
      <p className="soft">{t('addTimeHelp')}</p>
    </ConfirmDialog>
  )
}

const choices = ['sold', 'own'] as const

/** Of this voucher alone, or as it was sold. */
function Speed({ voucher, press, onClose }: Asking) {
  const t = useTranslations('desk')
  const form = useTranslations('vouchers.form')
  const [choice, setChoice] = useState<string>(voucher.ownSpeed ? 'own' : 'sold')
  const [down, setDown] = useState(rateOf(voucher.downloadKbps))
  const [up, setUp] = useState(rateOf(voucher.uploadKbps))
  const [downloadKbps, uploadKbps] = [kbpsOf(...down), kbpsOf(...up)]
  const isRight = [downloadKbps, uploadKbps].every(kbps => kbps === null || isVoucherRate(kbps))
  const rates =
    choice === 'own'
      ? { downloadKbps: downloadKbps ?? 0, uploadKbps: uploadKbps ?? 0 }
      : { downloadKbps: null, uploadKbps: null }
  return (
    <ConfirmDialog
      open
      title={t('speedTitle')}
      help={aboutOf(voucher)}
      action={t('apply')}
      disabled={choice === 'own' && !isRight}
      onConfirm={() => press('speed', { id: voucher.id, ...rates }, aboutOf(voucher))}
      onClose={onClose}
    >
      <Segments
        label={t('speed')}
        value={choice}
        onChange={setChoice}
        options={choices.map(one => ({ value: one, label: t(`speeds.${one}`) }))}
      />
      {choice === 'own' && (
        <>
          <Rate
            {...{ label: form('download'), value: down[0], unit: down[1], error: undefined }}
            onChange={(...next) => setDown(next)}
          />
          <Rate
            {...{ label: form('upload'), value: up[0], unit: up[1], error: undefined }}
            onChange={(...next) => setUp(next)}
          />
          <p className="soft">{t('speedHelp')}</p>
        </>
      )}
    </ConfirmDialog>
  )
}

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Segments } from '@/app/_ui/check'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { QrCode } from '@/app/_ui/qr-code'
import { voucherStates } from '@/model/guests/voucher'
import { aboutOf, type DeskVoucher, type Join, type Picture } from './rows'
import type { Press } from './use-pressed'

type Props = {
  what: 'full' | 'mail' | 'void'
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

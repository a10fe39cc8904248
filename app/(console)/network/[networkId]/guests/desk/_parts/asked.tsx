import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { QrCode } from '@/app/_ui/qr-code'
import { voucherStates } from '@/model/guests/voucher'
import { aboutOf, type DeskVoucher, type Picture } from './rows'
import type { Press } from './use-pressed'

type Props = {
  what: 'full' | 'mail' | 'void'
  voucher: DeskVoucher
  qr: Picture | undefined
  press: Press
  onClose: () => void
}

/** What a button of a voucher asks or shows first. */
export function Asked({ what, voucher, qr, press, onClose }: Props) {
  if (what === 'void') return <Void {...{ voucher, press, onClose }} />
  if (what === 'mail') return <Mail {...{ voucher, press, onClose }} />
  return qr ? <Large {...{ voucher, qr, onClose }} /> : null
}

/** As large as the screen, for the guest's camera. */
function Large({ voucher, qr, onClose }: Pick<Props, 'voucher' | 'onClose'> & { qr: Picture }) {
  const t = useTranslations('desk')
  return (
    <Dialog open width="vast" title={voucher.note || voucher.name} onClose={onClose}>
      <div className="desk-large">
        <QrCode qr={qr} label={t('picture')} />
        <bdi dir="ltr" className="voucher-code">
          {voucher.code}
        </bdi>
        <span className="soft">{t('scan')}</span>
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

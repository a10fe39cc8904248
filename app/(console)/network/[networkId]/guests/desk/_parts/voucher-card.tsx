import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type Ref, useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { Button, IconButton } from '@/app/_ui/button'
import { useClock } from '@/app/_ui/clock'
import { QrCode } from '@/app/_ui/qr-code'
import { Skeleton } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { mayRenew, voucherStates } from '@/model/guests/voucher'
import { stateLooks, stateNames } from '../../voucher/_parts/states'
import { rateText, useLasting } from '../../voucher/_parts/words'
import { aboutOf, type DeskVoucher, type Picture } from './rows'
import type { Press } from './use-pressed'

const Print = dynamic(async () => (await import('../../voucher/detail/_parts/print-dialog')).PrintDialog)
const Asked = dynamic(async () => (await import('./asked')).Asked)

type Props = {
  voucher: DeskVoucher
  /** Where it came with the answer. */
  qr: Picture | null
  mail: boolean
  press: Press
  onClose: () => void
  ref: Ref<HTMLElement>
}
/** One voucher: its code to be read or scanned, what is left, and what can be done with it. */
export function Card({ voucher, qr: given, mail, press, onClose, ref }: Props) {
  const t = useTranslations('desk')
  const mayPrint = useMay('vouchers_print')
  const asked = useNetworkCall('vouchers/desk/code', mayPrint ? { id: voucher.id } : null)
  const qr = given ?? asked.data?.qr ?? undefined
  const [asking, setAsking] = useState<'full' | 'print' | 'mail' | 'void' | 'time' | 'speed'>()
  const { id, groupId, state, note, name } = voucher
  const expired = state === voucherStates.expired
  const about = aboutOf(voucher)
  const close = () => setAsking(undefined)
  return (
    <section ref={ref} className="card desk-card" aria-labelledby="desk-card">
      <header>
        <h2 id="desk-card">{note || name}</h2>
        <IconButton kind="ghost" icon="close" label={t('close')} onClick={onClose} />
      </header>
      <div className="desk-voucher">
        <div>
          <Facts voucher={voucher} />
          {asked.data?.keys.map(one => (
            <div key={one.ssid} className="desk-code">
              <span className="muted">{t('key', { ssid: one.ssid })}</span>
              <bdi dir="ltr" className="voucher-code">
                {one.key}
              </bdi>
            </div>
          ))}
        </div>
        {mayPrint && (
          <button type="button" className="desk-qr" disabled={!qr} onClick={() => setAsking('full')}>
            {qr ? <QrCode qr={qr} label={t('picture')} /> : <Skeleton width={112} height={112} />}
            <span>{t('full')}</span>
          </button>
        )}
      </div>
      <div className="desk-acts">
        {mayPrint && (
          <>
            <Button icon="print" disabled={expired} onClick={() => setAsking('print')}>
              {t('print')}
            </Button>
            <Button
              icon="share"
              disabled={!mail || expired}
              title={mail ? undefined : t('noMail')}
              onClick={() => setAsking('mail')}
            >
              {t('mail')}
            </Button>
          </>
        )}
        <Button icon="clock" disabled={expired} onClick={() => setAsking('time')}>
          {t('addTime')}
        </Button>
        <Button icon="bolt" disabled={expired} onClick={() => setAsking('speed')}>
          {t('speed')}
        </Button>
        <Button
          icon="undo"
          disabled={!mayRenew(state)}
          title={mayRenew(state) ? undefined : t('notRenewable')}
          onClick={() => press('extend', { id }, about)}
        >
          {t('renew')}
        </Button>
        <Button icon="block" kind="danger" onClick={() => setAsking('void')}>
          {t('void')}
        </Button>
      </div>
      <Devices voucher={voucher} press={press} />
      {asking === 'print' && <Print group={{ id: groupId }} ids={[id]} count={1} onClose={close} />}
      {asking && asking !== 'print' && (
        <Asked what={asking} {...{ voucher, qr, press }} joins={asked.data?.joins ?? []} onClose={close} />
      )}
    </section>
  )
}

function Facts({ voucher }: { voucher: DeskVoucher }) {
  const t = useTranslations('desk')
  const states = useTranslations('vouchers.states')
  const terms = useTranslations('vouchers.terms')
  const lasting = useLasting()
  const clock = useClock()
  const { code, state, seconds, secondsLeft, firstUsedAt, validUntil, downloadKbps, uploadKbps } = voucher
  const rates = [
    downloadKbps !== null && terms('down', { rate: rateText(downloadKbps) }),
    uploadKbps !== null && terms('up', { rate: rateText(uploadKbps) }),
  ].filter(one => one !== false)
  return (
    <div className="desk-code">
      <span className="muted">{t('code')}</span>
      {code === null ? (
        <b>{t('noCode')}</b>
      ) : (
        <bdi dir="ltr" className="voucher-code">
          {code}
        </bdi>
      )}
      <Status state={stateLooks[state]}>{states(stateNames[state])}</Status>
      <span className="number">
        {firstUsedAt === null ? t('gives', { time: lasting(seconds) }) : t('left', { time: lasting(secondsLeft) })}
      </span>
      <span className="muted">{t('until', { date: clock.date(validUntil) })}</span>
      {rates.length > 0 && <span className="muted">{rates.join(', ')}</span>}
    </div>
  )
}

function Devices({ voucher, press }: { voucher: DeskVoucher; press: Press }) {
  const t = useTranslations('desk')
  const { id, devices, maxDevices } = voucher
  if (devices.length === 0) return null
  const used = devices.length
  return (
    <div className="desk-devices">
      <b>{maxDevices === 0 ? t('placesAny', { used }) : t('places', { used, most: maxDevices })}</b>
      <ul aria-label={t('devices')}>
        {devices.map(mac => (
          <li key={mac}>
            <bdi dir="ltr" className="font-mono">
              {mac.toUpperCase()}
            </bdi>
            <Button
              aria-label={t('freeDevice', { mac: mac.toUpperCase() })}
              onClick={() => press('free', { id, mac }, aboutOf(voucher))}
            >
              {t('free')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

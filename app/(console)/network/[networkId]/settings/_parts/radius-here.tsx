'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { PasswordField, TextField } from '@/app/_ui/field'
import { ErrorState, SkeletonLines } from '@/app/_ui/states'
import { type StateName, Status } from '@/app/_ui/status'
import { ImportUsers } from './import-users'

type Here = CallOutput<'radius/get'>
const shown: Record<Here['state'], StateName> = {
  unavailable: 'unknown',
  off: 'offline',
  running: 'online',
  silent: 'failed',
}
/** It starts within a second or two, and nothing tells of it. */
const refreshMs = 3000

/** The manager's own RADIUS server: whether it runs, on and off, and a sign-in to try. */
export function RadiusHere({ mayEdit }: { mayEdit: boolean }) {
  const t = useTranslations('profiles.radiusUser.server')
  const files = useTranslations('radius.file')
  const staff = useTranslations('radius.staff')
  const { networkId } = useParams<{ networkId: string }>()
  const mayWifi = useMay('settings_wifi_edit')
  const call = useNetworkCall('radius/get', {}, { refreshMs })
  const [asks, setAsks] = useState<'on' | 'off' | 'try' | 'import'>()
  if (call.error && !call.data) return <ErrorState error={call.error} onRetry={() => void call.mutate()} />
  if (!call.data) return <SkeletonLines lines={2} />
  const { state } = call.data
  const why = call.data.state === 'silent' ? call.data.why : undefined
  const [isOn, isThere] = [state === 'running' || state === 'silent', state !== 'unavailable']
  const close = () => {
    setAsks(undefined)
    void call.mutate()
  }
  return (
    <Card title={t('title')} mark={<Status state={shown[state]}>{t(`states.${state}`)}</Status>} pad className="mb-4">
      <p className="soft">{why === undefined ? t(`about.${state}`) : t('why', { why })}</p>
      {mayEdit && (
        <div className="row wrapping mt-4">
          {isThere && (
            <Button kind={isOn ? 'plain' : 'primary'} icon="power" onClick={() => setAsks(isOn ? 'off' : 'on')}>
              {isOn ? t('turnOff') : t('turnOn')}
            </Button>
          )}
          {isOn && (
            <Button icon="key" onClick={() => setAsks('try')}>
              {t('try')}
            </Button>
          )}
          {isThere && mayWifi && (
            <LinkButton icon="wifi" href={`/network/${networkId}/settings/staff`}>
              {staff('open')}
            </LinkButton>
          )}
          <Button icon="upload" onClick={() => setAsks('import')}>
            {files('import')}
          </Button>
        </div>
      )}
      <ImportUsers open={asks === 'import'} onClose={close} />
      <Turn on={!isOn} open={asks === 'on' || asks === 'off'} onClose={close} />
      <TryIt open={asks === 'try'} onClose={close} />
    </Card>
  )
}

function Turn({ on, open, onClose }: { on: boolean; open: boolean; onClose: () => void }) {
  const t = useTranslations('profiles.radiusUser.server')
  return (
    <ActDialog
      call="radius/switch"
      input={withNetwork({ on })}
      open={open}
      onClose={onClose}
      title={on ? t('onTitle') : t('offTitle')}
      consequences={[on ? t('onText') : t('offText')]}
      action={on ? t('turnOn') : t('turnOff')}
      danger={!on}
      done={on ? t('onDone') : t('offDone')}
    />
  )
}

const nobody = { name: '', password: '' }

/** A real sign-in with a password, and what decided it. */
function TryIt({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('profiles.radiusUser.server')
  const { values, put, field } = useFields(nobody)
  const [answer, setAnswer] = useState<CallOutput<'radius/try'>>()
  const ask = async () => {
    setAnswer(undefined)
    setAnswer(await callApi('radius/try', withNetwork(values)))
    return 'stay'
  }
  const close = () => {
    put(nobody)
    setAnswer(undefined)
    onClose()
  }
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title={t('tryTitle')}
      help={t('tryHelp')}
      action={t('try')}
      onConfirm={ask}
    >
      {errors => (
        <>
          <TextField label={t('name')} dir="ltr" autoComplete="off" {...field('name', errors)} />
          <PasswordField label={t('password')} autoComplete="off" {...field('password', errors)} />
          <span role="status">{answer && <Answer answer={answer} />}</span>
        </>
      )}
    </ConfirmDialog>
  )
}

function Answer({ answer }: { answer: CallOutput<'radius/try'> }) {
  const t = useTranslations('profiles.radiusUser.server')
  if (answer.outcome === 'silent') return <Status state="failed">{t('answers.silent')}</Status>
  if (answer.outcome === 'refused') return <Status state="failed">{t(`answers.${answer.why}`)}</Status>
  const { by = '', vlan } = answer
  return (
    <Status state="online">{vlan === undefined ? t('answers.in', { by }) : t('answers.inVlan', { by, vlan })}</Status>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError, type CallOutput, callApi } from '@/app/_api/client'
import { useReason } from '@/app/_api/reason'
import { withNetwork } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import { ActDialog } from '@/app/_shared/act-dialog'
import { credentialOf, emptyLogin, type Login } from '@/app/_shared/adoption/login-data'
import { LoginFields } from '@/app/_shared/adoption/login-fields'
import { useDeviceOptions } from '@/app/_shared/device-choice'
import { SwitchField } from '@/app/_ui/check'
import { ComboField } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { Status } from '@/app/_ui/status'
import { toast } from '@/app/_ui/toast'
import type { Stored } from './rows'

type Props = { one: Stored; onClose: () => void }

/** The form for a login: of a stored one all but its secrets. */
const loginOf = (one: Stored | undefined): Login =>
  one ? { ...emptyLogin, way: one.type, user: one.user, snmpUser: one.user } : emptyLogin

/** Without `one` a new login; with it its name, and its secret only where wanted. */
export function EditCredential({ one, onClose }: { one?: Stored; onClose: () => void }) {
  const t = useTranslations('adoption.credentials')
  const [name, setName] = useState(one?.name ?? '')
  const [login, setLogin] = useState<Login>(loginOf(one))
  const [again, setAgain] = useState(one === undefined)
  return (
    <ActDialog
      call="credentials/save"
      input={withNetwork({
        ...(one && { id: one.id, groupId: one.groupId }),
        name,
        ...(again && { credential: credentialOf(login) }),
      })}
      done={t('saved', { name: name.trim() })}
      onClose={onClose}
      title={one ? t('editTitle', { name: one.name }) : t('addTitle')}
      action={t('save')}
    >
      {errors => (
        <>
          <TextField label={t('name')} value={name} error={errors.name} maxLength={64} onChange={setName} />
          {one && <SwitchField label={t('again')} help={t('againHelp')} checked={again} onChange={setAgain} />}
          {again && <LoginFields login={login} onLogin={setLogin} errors={errors} instead={one?.type} />}
        </>
      )}
    </ActDialog>
  )
}

type Tested = { ok: true; name: string } | { ok: false; title: string; advice: string }

/** Tries the login on one device; nothing changes there. */
export function TestCredential({ one, onClose }: Props) {
  const t = useTranslations('adoption.credentials')
  const reason = useReason()
  const text = useFailureText()
  const choice = useDeviceOptions()
  const [deviceId, setDeviceId] = useState(String(one.devices[0]?.id ?? ''))
  const [tested, setTested] = useState<Tested>()
  const test = async () => {
    const input = withNetwork({ id: one.id, deviceId: Number(deviceId) })
    const outcome = await callApi('credentials/test', input, { quiet: true }).then(
      ({ name }): Tested => ({ ok: true, name }),
      (error: unknown): Tested => {
        const why = error instanceof ApiError ? String(error.data.reason ?? '') : ''
        if (why) return { ok: false, ...reason(why) }
        return { ok: false, title: error instanceof ApiError ? text(error) : '', advice: '' }
      },
    )
    setTested(outcome)
    return 'stay'
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('testTitle', { name: one.name })}
      action={t('testNow')}
      disabled={deviceId === ''}
      onConfirm={test}
    >
      <ComboField
        label={t('testOn')}
        value={deviceId}
        {...choice.field}
        onChange={id => {
          choice.keep(id)
          setDeviceId(id)
        }}
      />
      {tested?.ok && <Note tone="ok" title={t('testFine', { name: tested.name })} />}
      {tested?.ok === false && (
        <Note tone="bad" title={tested.title}>
          {tested.advice}
        </Note>
      )}
    </ConfirmDialog>
  )
}

type Results = CallOutput<'credentials/rotate'>['results']

/** Replaces a login for all its devices, after each that answers took the new one. */
export function RotateCredential({ one, onClose }: Props) {
  const t = useTranslations('adoption.credentials')
  const [login, setLogin] = useState<Login>(loginOf(one))
  const [force, setForce] = useState(false)
  const [refused, setRefused] = useState<Results>()
  const rotate = async () => {
    const { rotated, results } = await callApi(
      'credentials/rotate',
      withNetwork({ id: one.id, credential: credentialOf(login), force }),
    )
    if (!rotated) {
      setRefused(results)
      return 'stay'
    }
    toast('ok', t('rotated', { name: one.name }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('rotateTitle', { name: one.name })}
      action={t('rotateNow')}
      onConfirm={rotate}
      help={t('rotateHelp')}
    >
      {errors => (
        <>
          <LoginFields login={login} onLogin={setLogin} errors={errors} instead={one.type} />
          {refused && (
            <>
              <Refused results={refused} />
              <SwitchField label={t('force')} help={t('forceHelp')} checked={force} onChange={setForce} />
            </>
          )}
        </>
      )}
    </ConfirmDialog>
  )
}

function Refused({ results }: { results: Results }) {
  const t = useTranslations('adoption.credentials')
  const reason = useReason()
  return (
    <Note tone="bad" title={t('refused')}>
      <ul>
        {results.map(one => (
          <li key={one.deviceId} className="row">
            <Status state={one.ok ? 'confirmed' : one.reason === 'offline' ? 'offline' : 'failed'}>{one.name}</Status>
            <span className="muted">
              {one.ok ? '' : one.reason === 'offline' ? t('offline') : reason(one.reason).title}
            </span>
          </li>
        ))}
      </ul>
    </Note>
  )
}

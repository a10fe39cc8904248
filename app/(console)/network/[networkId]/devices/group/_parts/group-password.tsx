'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useReason } from '@/app/_api/reason'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { Button } from '@/app/_ui/button'
import { ConfirmDialog, Dialog } from '@/app/_ui/dialog'
import { PasswordField } from '@/app/_ui/field'
import { Progress } from '@/app/_ui/meters'
import { RuleList } from '@/app/_ui/rule-list'
import { SkeletonLines } from '@/app/_ui/states'
import { Status } from '@/app/_ui/status'
import { limits } from '@/model/limits'
import { isDevicePassword } from '@/model/password'
import type { PasswordItem } from './rows'

type Group = { id: number; name: string }
const pollMs = 1000

/** Sets the password of the devices of a group, for those who may set logins; then tells how each took it. */
export function PasswordButton({ id, name }: Group) {
  const t = useTranslations('devices.group.password')
  const may = useMay('devices_logins_edit')
  const [asking, setAsking] = useState(false)
  const [jobId, setJobId] = useState<string>()
  if (!may) return null
  return (
    <>
      <Button icon="key" onClick={() => setAsking(true)}>
        {t('action')}
      </Button>
      {asking && <AskDialog id={id} name={name} onClose={() => setAsking(false)} onStarted={setJobId} />}
      {jobId !== undefined && <ResultDialog name={name} jobId={jobId} onClose={() => setJobId(undefined)} />}
    </>
  )
}

type AskProps = Group & { onClose: () => void; onStarted: (jobId: string) => void }

function AskDialog({ id, name, onClose, onStarted }: AskProps) {
  const t = useTranslations('devices.group.password')
  const [password, setPassword] = useState('')
  const { min, max } = limits.devicePasswordCharacters
  const rules = [
    { text: t('length', { min, max }), met: password.length >= min && password.length <= max },
    { text: t('kinds'), met: isDevicePassword(password) },
  ]
  const start = async () => {
    const { jobId } = await callApi('groups/password', withNetwork({ groupId: id, password }))
    onStarted(jobId)
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name })}
      help={t('help')}
      consequences={[t('keeps')]}
      action={t('confirm')}
      disabled={password === ''}
      onConfirm={start}
    >
      {errors => (
        <PasswordField
          label={t('password')}
          help={<RuleList rules={rules} />}
          autoComplete="new-password"
          value={password}
          error={errors.password ?? errors.groupId}
          onChange={setPassword}
        />
      )}
    </ConfirmDialog>
  )
}

const looks = { waiting: 'queued', running: 'running', set: 'confirmed', failed: 'failed' } as const

function ResultDialog({ name, jobId, onClose }: { name: string; jobId: string; onClose: () => void }) {
  const t = useTranslations('devices.group.password')
  const [going, setGoing] = useState(true)
  const call = useNetworkCall(
    'groups/password/result',
    { jobId },
    { refreshMs: going ? pollMs : 0, swr: { onSuccess: data => setGoing(data.state === 'running') } },
  )
  const items = call.data?.items ?? []
  const done = items.filter(({ state }) => state === 'set' || state === 'failed').length
  const words = { done, all: items.length, set: items.filter(({ state }) => state === 'set').length }
  const said = t(going ? 'progress' : 'result', words)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('title', { name })}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {call.data ? (
        <>
          <p>{said}</p>
          {going && <Progress share={done / items.length} label={said} />}
          <ul className="plain-words">
            {items.map(item => (
              <ItemLine key={item.deviceId} item={item} />
            ))}
          </ul>
        </>
      ) : (
        <SkeletonLines />
      )}
    </Dialog>
  )
}

function ItemLine({ item: { name, state, reason } }: { item: PasswordItem }) {
  const t = useTranslations('devices.group.password')
  const why = useReason()
  return (
    <li>
      <span className="row">
        <span className="grow truncated">{name}</span>
        <Status state={looks[state]}>{t(`states.${state}`)}</Status>
      </span>
      {reason !== '' && <span className="fine-print muted">{why(reason).title}</span>}
    </li>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'
import { Status } from '@/app/_ui/status'

/** Whether an address would come in as the list stands. */
export function WhitelistCheck() {
  const t = useTranslations('security.whitelist')
  const [ip, setIp] = useState('')
  const [answer, setAnswer] = useState<CallOutput<'ip-whitelist/check'>>()
  const { errors, busy, run } = useSubmit<'check'>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAnswer(undefined)
    void run('check', async () => setAnswer(await callApi('ip-whitelist/check', { ip })))
  }
  return (
    <form className="inline-form" style={{ maxInlineSize: 480 }} onSubmit={submit} noValidate>
      <TextField label={t('check')} dir="ltr" value={ip} onChange={setIp} error={errors.ip} />
      <Button type="submit" busy={busy !== undefined}>
        {t('checkButton')}
      </Button>
      <span role="status">
        {answer && (
          <Status state={answer.allowed ? 'online' : 'failed'}>
            {answer.allowed ? (answer.entry ? t('allowedBy', { entry: answer.entry }) : t('allowed')) : t('refused')}
          </Status>
        )}
      </span>
    </form>
  )
}

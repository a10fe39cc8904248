'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { OwnForm, type OwnPart } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { Button, LinkButton } from '@/app/_ui/button'
import { Moment } from '@/app/_ui/clock'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { toast } from '@/app/_ui/toast'
import { TargetsCard } from './targets-card'

type Notice = CallOutput<'alerts/notice/query'>

/** Where alerts are told besides the console: by mail, and by webhooks that are kept elsewhere. */
export function NoticePage({ spec }: { spec: KindSpec<'notices'> }) {
  const t = useTranslations('alerts.notice')
  const { data } = useCall('alerts/notice/query', {}, { keep: false })
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const back = `/network/${networkId}/alerts`
  return (
    <>
      <PageHead title={t('title')} />
      <div style={{ maxInlineSize: 'var(--form-max)' }}>
        <OwnForm
          pageNamed
          spec={spec}
          changes={['alerts/notice/query']}
          folded={({ mode }) => (mode === 'off' ? ['level', 'to'] : [])}
          top={() => data?.last && <Last last={data.last} />}
          beside={(key, { form }) =>
            key === 'mode' && (
              <>
                <Hooks />
                {form.values.fields.mode === 'mail' && data && !data.mailServer && <NoServer />}
              </>
            )
          }
          actions={part => (
            <>
              <LinkButton href={back}>{t('cancel')}</LinkButton>
              {part.form.values.fields.mode === 'mail' && <TestButton {...part} />}
            </>
          )}
          onSaved={() => router.push(back)}
        />
        <div style={{ marginBlockStart: 16 }}>
          <TargetsCard />
        </div>
      </div>
    </>
  )
}

function TestButton({ act, busy }: OwnPart) {
  const t = useTranslations('alerts.notice')
  const test = () =>
    act('test', async ({ level, to }) => {
      const input = { mode: 'mail', level: Number(level), mail: { to } } as CallInput<'alerts/notice/test'>
      await callApi('alerts/notice/test', input)
      toast('ok', t('tested'))
    })
  return (
    <Button busy={busy === 'test'} onClick={() => void test()}>
      {t('test')}
    </Button>
  )
}

/** The server is the manager's one, without which nothing could be sent. */
function NoServer() {
  const t = useTranslations('alerts.notice')
  const may = useMay('organization_mail')
  return (
    <Note
      tone="warn"
      title={t('noServer')}
      actions={may && <LinkButton href="/organization/manager?tab=mail">{t('toServer')}</LinkButton>}
    >
      {t('noServerMore')}
    </Note>
  )
}

/** Services hear of alerts by webhooks, which tell more than these. */
function Hooks() {
  const t = useTranslations('alerts.notice')
  const may = useMay('organization_api')
  return (
    <Note tone="info" actions={may && <LinkButton href="/organization/api?tab=webhooks">{t('toHooks')}</LinkButton>}>
      {t('hooks')}
    </Note>
  )
}

function Last({ last }: { last: NonNullable<Notice['last']> }) {
  const t = useTranslations('alerts.notice')
  return (
    <Note tone={last.ok ? 'ok' : 'bad'} title={last.ok ? t('lastFine') : t('lastFailed')}>
      <Moment at={last.at} /> {last.error}
    </Note>
  )
}

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/app/_ui/button'
import { useCopy } from '@/app/_ui/copy'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextArea } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { type CallView, curlOf, exampleOf, laidOut, objectIn } from './catalogue'

/** What came back: `text` as it is shown; `bytes` of what is no JSON. */
type Answer = { status: number; ms: number; text?: string; bytes?: number }
const shownCharacters = 200_000
const patienceMs = 120_000

/** Sends a call the way a script does with a key, the way this page does without one. Undefined: no answer arrived. */
async function send(path: string, body: string, key: string): Promise<Answer | undefined> {
  const own: Record<string, string> = key
    ? { authorization: `Bearer ${key}` }
    : { 'x-requested-with': 'XMLHttpRequest' }
  const began = performance.now()
  const response = await fetch(`/app/${path}`, {
    method: 'POST',
    credentials: key ? 'omit' : 'same-origin',
    headers: { 'content-type': 'application/json', ...own },
    body,
    signal: AbortSignal.timeout(patienceMs),
  }).catch(() => undefined)
  if (!response) return undefined
  const told = { status: response.status, ms: Math.round(performance.now() - began) }
  if (!response.headers.get('content-type')?.includes('json'))
    return { ...told, bytes: (await response.arrayBuffer()).byteLength }
  const text = await response.text()
  return { ...told, text: laidOut(text).slice(0, shownCharacters) }
}

/** `network`: what a call about a network begins with. */
export type TryProps = { call: CallView; apiKey: string; network: number | undefined }

/** The body, the same in a shell, and a button that sends it for real. */
export function CallTry({ call, apiKey, network }: TryProps) {
  const t = useTranslations('api.calls')
  const copy = useCopy()
  const [text, setText] = useState(() => JSON.stringify(exampleOf(call.input, network), null, 2))
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer | 'none'>()
  const body = objectIn(text)
  const curl = body === undefined ? undefined : curlOf(window.location.origin, call.path, body)
  const run = async () => {
    if (body === undefined) return
    setBusy(true)
    setAnswer((await send(call.path, body, apiKey)) ?? 'none')
    setBusy(false)
  }
  return (
    <>
      <TextArea
        label={t('body')}
        code
        rows={Math.min(12, text.split('\n').length + 1)}
        spellCheck={false}
        dir="ltr"
        error={body === undefined ? t('brokenBody') : undefined}
        value={text}
        onChange={setText}
      />
      {curl !== undefined && (
        <div className="contents-gap">
          <span className="row">
            <span className="label grow">{t('curl')}</span>
            <Button small kind="ghost" icon="copy" onClick={() => void copy(curl)}>
              {t('copyCurl')}
            </Button>
          </span>
          <pre dir="ltr">{curl}</pre>
        </div>
      )}
      <div>
        <Button
          kind="primary"
          icon="right"
          busy={busy}
          disabled={body === undefined}
          onClick={() => (call.changes ? setAsking(true) : void run())}
        >
          {t('send')}
        </Button>
      </div>
      {answer && <AnswerView answer={answer} />}
      {asking && (
        <ConfirmDialog
          open
          danger
          onClose={() => setAsking(false)}
          title={t('changeTitle', { path: call.path })}
          consequences={[t('changeWhat')]}
          action={t('send')}
          onConfirm={run}
        />
      )}
    </>
  )
}

function AnswerView({ answer }: { answer: Answer | 'none' }) {
  const t = useTranslations('api.calls')
  if (answer === 'none') return <Note tone="bad" alert title={t('noAnswer')} />
  const { status, ms, text, bytes } = answer
  return (
    <section className="contents-gap" aria-label={t('answer')} aria-live="polite">
      <span className="row">
        <span className="label grow">{t('answer')}</span>
        <span className={`number ${status < 400 ? 'soft' : 'bad'}`}>{t('status', { status, ms })}</span>
      </span>
      {text !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long answer scrolls, by the keyboard, too.
        <pre dir="ltr" tabIndex={0}>
          {text}
        </pre>
      )}
      {bytes !== undefined && <p className="soft">{t('bytes', { count: bytes })}</p>}
    </section>
  )
}

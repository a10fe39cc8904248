import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { laidOut } from './catalogue'

/** What was sent, what came back, and a way to send it once more. */
export function DeliveryDialog({ id, mine, onClose }: { id: number; mine: boolean; onClose: () => void }) {
  const t = useTranslations('webhooks.deliveries')
  const call = useCall('webhooks/deliveries/get', { id }, { live: true })
  const { busy, run } = useSubmit<'again'>()
  const again = () =>
    run('again', async () => {
      await callApi('webhooks/deliveries/retry', { id })
      toast('ok', t('againDone'))
    })
  const footer = (
    <Button icon="refresh" busy={busy === 'again'} onClick={() => void again()}>
      {t('again')}
    </Button>
  )
  return (
    <Dialog open width="wide" title={call.data?.type ?? ''} onClose={onClose} footer={mine ? footer : undefined}>
      <Loaded call={call} lines={6}>
        {({ body, answer, triedAt }) => (
          <div className="call-more">
            <Text label={t('bodyLabel')} text={laidOut(body)} />
            {triedAt > 0 && <Text label={t('answerLabel')} text={answer || t('noAnswer')} />}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section className="contents-gap" aria-label={label}>
      <span className="label">{label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by the keyboard, too. */}
      <pre dir="ltr" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}

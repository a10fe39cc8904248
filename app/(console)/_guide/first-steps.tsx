'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Glyph } from '@/app/_ui/status'
import { guideSteps } from '@/model/guide'
import type { Guide } from '@/server/manager/guide/steps'
import { useTour } from '../_shell/tour'
import './first-steps.css'

type Props = {
  /** As the server drew the page; kept up to date from then on. */
  first: Guide
  /** On the dashboard: only until everything is done or it was put away. */
  passing?: boolean
}

/** On the dashboard: the next few that are open. */
const passingSteps = 3

/** What is left to set up, with the way to each; ticked off by what the manager really has. */
export function FirstSteps({ first, passing }: Props) {
  const t = useTranslations('guide')
  const { data = first } = useCall('guide/get', {}, { live: true, swr: { fallbackData: first } })
  const open = data.steps.filter(step => !step.done)
  const wasDone = first.steps.every(step => step.done)
  if (passing && (data.step >= guideSteps.away || (wasDone && open.length === 0))) return null
  return (
    <Card
      title={t('title')}
      meta={t('done', { done: data.steps.length - open.length, all: data.steps.length })}
      className={passing ? 'first-steps passing' : 'first-steps'}
    >
      <ol>
        {(passing ? open.slice(0, passingSteps) : data.steps).map(step => (
          <Step key={step.id} {...step} next={step.id === open[0]?.id} />
        ))}
      </ol>
      <Footer step={data.step} over={open.length === 0} passing={passing} />
    </Card>
  )
}

function Footer({ step, over, passing }: { step: number; over: boolean; passing?: boolean }) {
  const t = useTranslations('guide')
  const tour = useTour()
  const put = async (next: number) => {
    await callApi('guide/step', { step: next })
  }
  return (
    <footer className="row wrapping">
      <span className="grow soft">{over ? t('over') : passing ? t('more') : t('later')}</span>
      {passing && (
        <LinkButton small href="/account/guide">
          {t('all')}
        </LinkButton>
      )}
      <Button small onClick={tour}>
        {t('tour')}
      </Button>
      {passing && (
        <Button small onClick={() => void put(guideSteps.away)}>
          {t('away')}
        </Button>
      )}
      {!passing && step >= guideSteps.away && (
        <Button small onClick={() => void put(guideSteps.seen)}>
          {t('again')}
        </Button>
      )}
    </footer>
  )
}

type StepProps = Guide['steps'][number] & { next: boolean }

/** One step; the first that is not done has the button. */
function Step({ id, path, done, next }: StepProps) {
  const t = useTranslations('guide')
  return (
    <li className={done ? 'done' : undefined}>
      <span className={done ? 'status ok' : 'status'}>
        <Glyph shape={done ? 'check' : 'ring'} />
        <span className="visually-hidden">{done ? t('isDone') : t('isOpen')}</span>
      </span>
      <span className="grow">
        <b className="medium">{t(`steps.${id}.title`)}</b>
        {!done && <span className="soft">{t(`steps.${id}.why`)}</span>}
      </span>
      {!done && (
        <LinkButton small kind={next ? 'primary' : 'plain'} href={path}>
          {t(`steps.${id}.action`)}
        </LinkButton>
      )}
    </li>
  )
}

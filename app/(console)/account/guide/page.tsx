import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { Card } from '@/app/_ui/card'
import { PageHead } from '@/app/_ui/page-head'
import { FirstSteps } from '@/app/(console)/_guide/first-steps'
import { guideOf } from '@/server/manager/guide/steps'
import { pageSession } from '@/server/people/sign-in/page-session'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('guide'))('title') }
}

const stages = ['save', 'look', 'push', 'prove', 'back'] as const

/** The first steps with a manager, and how a change reaches a device. */
export default async function GuidePage() {
  const t = await getTranslations('guide')
  const { runtime, session } = await pageSession()
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')} />
      <div className="stack" style={{ maxInlineSize: 'calc(var(--form-max) + 120px)' }}>
        {session && <FirstSteps first={guideOf(runtime, session.actor)} />}
        <Card title={t('change.title')} pad>
          <ol className="stages">
            {stages.map(stage => (
              <li key={stage}>
                <b className="medium">{t(`change.${stage}.title`)}</b>
                <span className="soft">{t(`change.${stage}.text`)}</span>
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  )
}

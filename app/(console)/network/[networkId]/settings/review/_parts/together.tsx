'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { SwitchField } from '@/app/_ui/check'
import { limits } from '@/model/limits'

/** Whether the chosen devices change as one: asked where there are several, and `tooMany` where they are more than that takes. */
export function useTogether(count: number) {
  const [wanted, setWanted] = useState(false)
  const asked = count > 1
  return { asked, on: asked && wanted, tooMany: asked && wanted && count > limits.pushesAtOnce, set: setWanted }
}

type Props = { count: number; together: ReturnType<typeof useTogether> }

/** All devices keep the change, or none does. */
export function Together({ count, together: { asked, on, tooMany, set } }: Props) {
  const t = useTranslations('change.together')
  if (!asked) return null
  return (
    <div className="review-together">
      <SwitchField
        label={t('label')}
        help={t('help', { count })}
        error={tooMany ? t('tooMany', { max: limits.pushesAtOnce }) : undefined}
        checked={on}
        onChange={set}
      />
    </div>
  )
}

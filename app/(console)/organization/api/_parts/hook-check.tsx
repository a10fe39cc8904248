import { useTranslations } from 'next-intl'
import { recipe } from './hook-recipe'
import { RecipeCard } from './recipe-card'

/** How a receiver tells what is from here, and how it is asked. */
export function HookCheck() {
  const t = useTranslations('webhooks.check')
  return <RecipeCard title={t('title')} copy={t('copy')} help={t('help')} recipe={recipe} />
}

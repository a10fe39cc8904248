'use client'
import { useTranslations } from 'next-intl'
import { useMemo } from 'react'
import type { CallOutput } from '@/app/_api/client'

type Entry = CallOutput<'changelog/list'>['result'][number]

/** What an entry says in plain words; what a later version wrote is shown as it is. */
export function useLogWords() {
  const t = useTranslations('changelog')
  const kinds = useTranslations('kinds' as 'changelog')
  const fields = useTranslations('fields' as 'changelog')
  return useMemo(() => {
    const own = (key: string) => (t.has(key as 'title') ? t(key as 'title') : undefined)
    const within = (words: typeof t, key: string) => (words.has(key as 'title') ? words(key as 'title') : undefined)
    const field = (object: string, key: string): string =>
      within(fields, `${object}.${key}`) ?? own(`fields.${key}`) ?? key
    return {
      action: (action: string): string => own(`actions.${action}`) ?? action,
      object: (object: string): string => within(kinds, object) ?? own(`objects.${object}`) ?? object,
      field,
      who: ({ account, address }: Pick<Entry, 'account' | 'address'>): string =>
        account || t(address === 'command line' ? 'commandLine' : 'manager'),
      /** What was changed: all of it, or the first few of `most`. */
      fieldNames: ({ object, fields: changed }: Entry, most = Number.POSITIVE_INFINITY): string => {
        const names = Object.keys(changed).map(key => field(object, key))
        const shown = names.slice(0, most).join(', ')
        return names.length > most ? t('andMore', { names: shown, count: names.length - most }) : shown
      },
    }
  }, [t, kinds, fields])
}

import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { localeShown } from '@/model/locales'
import { readGeneral } from '@/server/kernel/general'
import { runtimeIfReady } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { messagesOf } from './messages'

/** The one that the manager is set to; undefined before that is asked. */
function languageOfManager(): string | undefined {
  const db = runtimeIfReady()?.db
  return db && setup.read(db).finished ? readGeneral(db).language : undefined
}

export default getRequestConfig(async () => {
  const cookie = (await cookies()).get('locale')?.value
  const accepted = (await headers()).get('accept-language')?.split(',')[0]?.split(';')[0]?.trim()
  const locale = localeShown(cookie ?? languageOfManager() ?? accepted)
  return { locale, messages: await messagesOf(locale), timeZone: 'UTC' }
})

import { cookies, headers } from 'next/headers'
import { getRequestConfig } from 'next-intl/server'
import { available, localeOf } from '@/model/locales'
import { messagesOf } from './messages'

export default getRequestConfig(async () => {
  const cookie = (await cookies()).get('locale')?.value
  const accepted = (await headers()).get('accept-language')?.split(',')[0]?.split(';')[0]?.trim()
  const wanted = localeOf(cookie ?? accepted)
  const locale = available.includes(wanted) ? wanted : 'en'
  return { locale, messages: await messagesOf(locale), timeZone: 'UTC' }
})

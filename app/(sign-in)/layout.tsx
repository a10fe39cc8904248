import { NextIntlClientProvider } from 'next-intl'
import { pickMessages } from '../_i18n/pick'

export default async function SignInLayout({ children }: { children: React.ReactNode }) {
  const messages = await pickMessages(['common', 'codes', 'errors', 'mfa', 'recovery', 'signIn'])
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>
}

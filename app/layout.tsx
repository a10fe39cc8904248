import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { getLocale } from 'next-intl/server'
import { directionOf, localeOf } from '@/model/locales'
import { themeNameOf } from './_ui/theme'
import { WindowName } from './_ui/window-name'
import { ChunkLost, ChunkRetry } from './chunk-retry'
import { HoldForms } from './early-submit'
import './globals.css'

export const metadata: Metadata = { title: { default: 'Lanward', template: '%s · Lanward' } }
export const viewport: Viewport = { width: 'device-width', initialScale: 1, viewportFit: 'cover' }

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const locale = localeOf(await getLocale())
  const theme = themeNameOf((await cookies()).get('theme')?.value)
  const policy = (await headers()).get('content-security-policy') ?? ''
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme} suppressHydrationWarning>
      <head>
        <ChunkRetry nonce={nonce} />
        <HoldForms nonce={nonce} />
      </head>
      <body>
        {children}
        <ChunkLost />
        <WindowName />
      </body>
    </html>
  )
}

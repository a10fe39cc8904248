import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import { getLocale } from 'next-intl/server'
import { directionOf, localeOf } from '@/model/locales'
import { themeNameOf } from './_ui/theme'
import './globals.css'

export const metadata: Metadata = { title: { default: 'Lanward', template: '%s · Lanward' } }
export const viewport: Viewport = { width: 'device-width', initialScale: 1, viewportFit: 'cover' }

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const locale = localeOf(await getLocale())
  const theme = themeNameOf((await cookies()).get('theme')?.value)
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme={theme} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  )
}

import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { localPath } from '@/app/_ui/local-path'
import { pageSession } from '@/server/people/sign-in/page-session'
import { LoginFrame } from '../_parts/frame'
import { SecondFactor } from './second-factor'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('mfa'))('title') }
}

export default async function MfaPage({ searchParams }: { searchParams: Promise<{ to?: string | string[] }> }) {
  const { session } = await pageSession()
  const to = localPath((await searchParams).to)
  // Who is signed in and comes again to enter a code has nothing to do here.
  if (session && !(await cookies()).has('lanward.factor')) redirect(to)
  return (
    <LoginFrame>
      <SecondFactor to={to} />
    </LoginFrame>
  )
}

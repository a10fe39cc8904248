import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { RecoveryPage } from '../_parts/recovery-page'
import { ResetForm } from './reset-form'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('recovery.reset'))('title') }
}

export default function Page() {
  return (
    <RecoveryPage>
      <ResetForm />
    </RecoveryPage>
  )
}

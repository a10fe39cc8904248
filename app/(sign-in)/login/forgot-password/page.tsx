import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { AskForm } from '../_parts/ask-form'
import { RecoveryPage } from '../_parts/recovery-page'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('recovery.forgotPassword'))('title') }
}

export default function Page() {
  return (
    <RecoveryPage>
      <AskForm ask="forgotPassword" />
    </RecoveryPage>
  )
}

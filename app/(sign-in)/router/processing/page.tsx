import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { localPath } from '@/app/_ui/local-path'
import { Processing } from './processing'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn.processing'))('title') }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Shown while the manager restarts, restores or upgrades; goes on to `to` when it is back. `run`: the one that ends. */
export default async function ProcessingPage({ searchParams }: Props) {
  const { to, run } = await searchParams
  return <Processing to={localPath(to)} run={typeof run === 'string' ? run : ''} />
}

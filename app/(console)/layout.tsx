import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { isBuiltIn } from '@/model/authority'
import { type DateFormat, dateFormats } from '@/model/date-formats'
import packageJson from '@/package.json'
import { isRefusal } from '@/server/kernel/fail'
import { readGeneral } from '@/server/kernel/general'
import { menuFor } from '@/server/people/access/menu'
import { roleName } from '@/server/people/accounts/actor'
import { type PageSession, pageSession } from '@/server/people/sign-in/page-session'
import { LoginRedirect } from './_shell/login-redirect'
import { settingsPlaces } from './_shell/places'
import { Shell } from './_shell/shell'
import type { ShellData } from './_shell/shell-data'
import { Words } from './_words'

/** As people call a role: one made here by its own name. */
async function roleOf({ runtime, session }: PageSession): Promise<string> {
  if (!session) return ''
  const words = await getTranslations('roles.builtIn')
  const { role } = session.account
  return roleName(runtime.db, session.account) || (isBuiltIn(role) ? words(role) : role)
}

type Drawn = Pick<ShellData, 'slim' | 'settings'> & { role: string }

function shellData({ runtime, session }: PageSession, { role, slim, settings }: Drawn): ShellData | undefined {
  if (!session) return undefined
  const { account, actor } = session
  const { menus, denied, network } = menuFor(runtime, actor)
  const manager = readGeneral(runtime.db)
  return {
    menus,
    denied,
    network,
    account: { id: account.id, account: account.account, username: account.username, role },
    authorities: [...actor.authorities],
    settings,
    style: {
      format: dateFormats.find(format => format === account.dateFormat) ?? ('yyyy-MM-dd' satisfies DateFormat),
      hour: account.hours === 12 ? 12 : 24,
      timeZone: account.timezone ?? manager.timezone,
    },
    version: packageJson.version,
    manager: manager.name,
    slim,
    guideStep: account.guideStep,
    mainAccount: account.register === 1,
  }
}

export default async function ConsoleLayout({ children }: { children: React.ReactNode }) {
  const page = await pageSession()
  if (!page.wizardDone) redirect('/wizard')
  if (!page.session) return <LoginRedirect />
  const slim = (await cookies()).get('sidebar')?.value === 'slim'
  let data: ShellData | undefined
  try {
    const settings = await settingsPlaces(page.session.actor.authorities)
    data = shellData(page, { role: await roleOf(page), slim, settings })
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  if (!data) redirect('/forbidden')
  return (
    <Words areas={['menu', 'shell']}>
      <Shell data={data}>{children}</Shell>
    </Words>
  )
}

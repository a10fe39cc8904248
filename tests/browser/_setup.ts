import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { guideSteps } from '@/model/guide'
import { type Manager, removeFolder, startManager } from '../appliance/_manager'
import { until } from '../lab/_lab'
import { type Client, clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { type Browser, looksWell, signedIn } from './_browser'

export type Console = {
  /** The one that runs now: a test that starts another on the same data puts it here. */
  manager: Manager
  browser: Browser
  page: Awaited<ReturnType<Browser['page']>>
  /** The owner over the calls, beside the browser. */
  client: Client
  /** The page as it stands, wide and on a phone, and dark: nothing wrong for whoever cannot see it, nothing scrolls sideways. */
  looksWell(name: string, options?: { dark?: boolean }): Promise<void>
  end(): Promise<void>
}

type Login = { user: string; keyFile: string }

/** The setup's step that adopts devices of the lab which take the same login. */
export const adoptingAll = (addresses: readonly string[], login: Login) => async (client: Client) => {
  const devices: { address: string; hostKey: unknown }[] = []
  for (const address of addresses) {
    const { hostKey } = await client.must('wizard/fingerprint', { address })
    devices.push({ address, hostKey })
  }
  const credential = { type: 'ssh', user: login.user, privateKey: readFileSync(login.keyFile, 'utf8') }
  await client.must('wizard/adopt', { devices, credential })
  await until(
    async () =>
      JSON.stringify(await client.must('wizard/discover/result')).split('"adopted"').length > addresses.length,
  )
}

/** The same with one device. */
export const adopting = (address: string, login: Login) => adoptingAll([address], login)

/** The database of a manager that runs, and may write to it for a while; whoever opens it closes it. */
export const databaseOf = ({ data }: Manager) => new Database(`${data}/gen-1/lanward.sqlite`, { timeout: 60_000 })

/** A manager of its own, its setup done by the calls, and its owner signed in in a browser; without `adopt` no device. */
export async function openConsole(
  name: string,
  env: Record<string, string> = {},
  adopt?: (client: Client) => Promise<void>,
): Promise<Console> {
  const manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off', ...env } })
  const client = clientOf(manager.http)
  await prepareWizard(client, name)
  await adopt?.(client)
  await client.must('wizard/finish')
  await client.must('guide/step', { step: guideSteps.seen })
  const { browser, page } = await signedIn(manager.https)
  const opened: Console = {
    manager,
    browser,
    page,
    client,
    looksWell: (screen, options) => looksWell(page, screen, options),
    async end() {
      await browser.close()
      await opened.manager.stop()
      removeFolder(opened.manager.data)
    },
  }
  return opened
}

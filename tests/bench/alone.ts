import { mkdtempSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { changeTransport } from '@/server/devices/change/plan/transport'
import { startChange } from '@/server/devices/change/start'
import { fleetOf } from '@/server/devices/link/fleet'
import { passwordDigest } from '@/server/people/accounts/accounts'
import { removeFolder } from '../appliance/_manager'
import { fleetInProcess } from '../server/_fleet'
import { startTestManager } from '../server/_manager'
import { owner } from '../soak/owner'
import { measureLists } from './lists'
import { seedFleet } from './seed'
import type { Row } from './table'

const never = 3_600_000

/** Every list of a fleet that nobody polls, by the dispatcher and all below it in this process: what the answers alone cost. */
export async function measureAlone(count: number): Promise<Row[]> {
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  await seedFleet(data, count, 9, { interfaces: 28 })
  const manager = await startTestManager({
    data,
    starters: [
      fleetInProcess({ pollMs: never }),
      async runtime => {
        await startChange(runtime, changeTransport(fleetOf(runtime)))
      },
    ],
  })
  try {
    const browser = manager.browser()
    const must = async (path: string, input: unknown = {}) => {
      const { retCode, data: found } = await browser.post(path, input)
      if (retCode !== 0) throw new Error(`${path}: ${retCode}`)
      return found
    }
    await must('login', { userName: owner.account, userPwd: passwordDigest(owner.password) })
    const worked = () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }
    const rows = await measureLists({ client: { must }, worked, devices: count, name: `${count}-alone` })
    const load = loadavg()[0]?.toFixed(1)
    return rows.map(row => ({ ...row, what: `${count} devices, not polled, load ${load}: ${row.what}` }))
  } finally {
    await manager.stop()
    removeFolder(data)
  }
}

/**
 * What tests need of a guest with a kernel of its own (appliance/lab/guest.sh), and of the manager beside it. Files of
 * tests/kernel/NAME share one guest, devices/guest/NAME, one after the other: `npm test -- kernel`, or
 * `appliance/lab/guest.sh wifi node node_modules/jest/bin/jest.js -c tests/jest.config.mjs -i tests/kernel/wifi`.
 * It is emulated, ten times slower than the machine: waiting is left to the guest, which says when it is done.
 */
import { readFileSync } from 'node:fs'
import { connectSsh, type ExecResult, fingerprint, type SshSession } from '@/server/drivers/ssh/ssh'
import { managerWith } from '../lab/_change'
import { never } from '../lab/_device'
import { until } from '../lab/_lab'

type Guest = { name: string; address: string; manager: string; user: string; keyFile: string }

function guest(): Guest {
  const said = process.env.LANWARD_GUEST
  if (!said) throw new Error('These tests run beside a guest: npm test -- kernel, or appliance/lab/guest.sh (as root).')
  return JSON.parse(said)
}

const credential = () => ({
  type: 'ssh' as const,
  user: guest().user,
  privateKey: readFileSync(guest().keyFile, 'utf8'),
})

let login: Promise<SshSession> | undefined

/** One login for all commands of a file: a new one costs an emulated processor most of a second. */
async function session(): Promise<SshSession> {
  const open = await login?.catch(() => undefined)
  if (open && !open.closed) return open
  const { address } = guest()
  const { hostKey } = await fingerprint(address, 22, never)
  login = connectSsh({ address, port: 22, hostKey, credential: credential() }, never)
  return login
}
afterAll(async () => (await login)?.close())

/** A shell line in the guest, as root. */
export const inGuest = async (line: string, input = ''): Promise<ExecResult> =>
  (await session()).exec(line, { input, timeoutMs: 120_000 })

/** The same; what is no success is an error that says why. */
export async function mustInGuest(line: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await inGuest(line, input)
  if (code !== 0) throw new Error(`${line}: ${code}\n${stdout}${stderr}`)
  return stdout
}

/** Longer than a person's: under emulation a proof takes most of a minute. */
const confirmSeconds = 240

/** Adopts what answers there with the guest's login, as a person does it; its id. */
async function adopt({ ok }: Awaited<ReturnType<typeof managerWith>>, address: string): Promise<number> {
  const hostKey = await until(() => ok('devices/fingerprint', { address }).then(found => found.hostKey), {
    everyMs: 2_000,
  })
  const { jobId } = await ok('devices/add', { address, hostKey, credential: credential() })
  const job = () => ok('devices/adopt/result', { jobId })
  const { items } = (await until(async () => (await job()).state === 'done' && (await job()), { everyMs: 2_000 })) as {
    items: { state: string; id?: number }[]
  }
  expect(items).toMatchObject([{ state: 'adopted' }])
  const rows = (await ok('devices/list')).result as { id: number; address: string }[]
  return rows.find(row => row.address === address)?.id ?? 0
}

/** A manager on data of its own that has adopted the guest, and what else answers in it at these addresses: `ids`. */
export async function managerWithGuest(...more: string[]) {
  const one = await managerWith([], { window: confirmSeconds })
  const ids: number[] = []
  for (const address of [guest().address, ...more]) ids.push(await adopt(one, address))
  const pushedTo = async (id: number) => {
    const { jobId: push } = await one.ok('devices/push', { deviceIds: [id] })
    return one.settled(String(push), 500_000)
  }
  return { ...one, id: ids[0] as number, ids, pushedTo, pushed: () => pushedTo(ids[0] as number) }
}

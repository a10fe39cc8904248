import { connect } from 'node:net'
import { DeviceError } from '@/server/drivers/driver'
import { addressFor } from '@/server/drivers/own-address'
import { within } from './limits'
import {
  answered,
  backOff,
  endQuiet,
  type Ledger,
  loginMustWait,
  missed,
  pingAnswered,
  timed,
  walkFailed,
} from './outcome'
import { closeSession, openSession, type PolledDevice } from './polled-device'
import { type Lost, record } from './record'

// One poll of one device, from its connection to its outcome.

/** Longest poll: a device slower than this is not polled, it is waited for. */
const pollLimitMs = 50_000
const tcpMs = 5_000

/** `counters`: what changes from minute to minute; `full`: everything. */
type Depth = 'counters' | 'full'

/** Whether something takes a TCP connection there; rejects with the reason when not. */
function tcpAnswers(address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const end = (error?: DeviceError) => {
      clearTimeout(timer)
      socket.destroy()
      if (error) reject(error)
      else resolve()
    }
    const timer = setTimeout(() => end(new DeviceError('timeout')), tcpMs)
    socket.once('connect', () => end())
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(
        new DeviceError(
          error.code === 'ECONNREFUSED' ? 'refused' : /UNREACH/.test(error.code ?? '') ? 'noRoute' : 'timeout',
        ),
      ),
    )
  })
}

/** Only asks whether it is there: the one GET of SNMP, a TCP connection for SSH. */
async function ping(entry: PolledDevice, signal: AbortSignal): Promise<void> {
  const { target } = entry.device
  if (entry.driver.protocol === 'ssh') return tcpAnswers(await addressFor(target), target.port)
  await openSession(entry, signal, true)
}

async function read(entry: PolledDevice, ledger: Ledger, signal: AbortSignal, depth: Depth): Promise<Lost | undefined> {
  const reused = entry.session !== undefined
  const session = await openSession(entry, signal)
  const seen = await entry.driver.observe(session, depth).catch(error => {
    // The pooled session may have died since; and a device that just let us in is there, whatever its tables do.
    closeSession(entry)
    if (reused || entry.gone) throw error
    walkFailed(entry, ledger, error)
    return undefined
  })
  if (entry.gone) closeSession(entry)
  if (entry.gone || !seen) return undefined
  endQuiet(entry)
  const { lost, ...news } = record(entry, seen, ledger.sinks, ledger.everyMs)
  answered(entry, ledger, seen.problems?.length ? entry.reason : '', news)
  return lost
}

/**
 * Polls a device: a full reading where the last one is `fullEveryMs` old, the counters in between; in its quiet time it
 * is only looked for. `depth`: read that much, quiet or not. What fails is kept as the
 * device's state, and does not reject. Returns what a switch lost from sight.
 */
export async function poll(
  entry: PolledDevice,
  ledger: Ledger,
  fullEveryMs: number,
  depth?: 'full',
): Promise<Lost | undefined> {
  let lost: Lost | undefined
  const began = Date.now()
  entry.rounds++
  ledger.stats.rounds++
  try {
    await within(pollLimitMs, async signal => {
      if (!depth && began < entry.quietUntil) {
        await ping(entry, signal)
        return pingAnswered(entry, ledger)
      }
      lost = await read(entry, ledger, signal, depth ?? (began - entry.fullAt >= fullEveryMs ? 'full' : 'counters'))
    })
  } catch (error) {
    if (loginMustWait(entry, error)) backOff(entry, 'login')
    missed(entry, ledger, error)
  }
  timed(entry, began)
  return lost
}

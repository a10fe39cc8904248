import { type SpeedFigures, type SpeedServer, speedTestLimits } from '@/model/dashboard/speed-test'
import { diagnosisLimits, type Figures, type RequestOf } from '@/model/troubleshooting/request'
import { DeviceError } from '@/server/drivers/driver'
import { capture, type Refused, refusedOf } from '@/server/drivers/tools/capture'
import { here } from '@/server/drivers/tools/here'
import { throughput } from '@/server/drivers/tools/iperf'
import { type LookRequest, runTool } from '@/server/drivers/tools/run-tool'
import { speedTest } from '@/server/drivers/tools/speed-test'
import type { Vantage } from '@/server/drivers/vantage'
import { within } from './limits'
import type { DiagnosisProgress, SpeedProgress } from './protocol'
import type { WorkerState } from './worker-state'

export type DiagnosisInput = { device?: number; request: LookRequest | RequestOf<'iperf3' | 'capture'> }

/**
 * From a device over a connection of its own: neither a poll nor a push waits for it, and it waits for none. What it began
 * has ended on the device when this settles, or ends with the connection.
 */
export async function fromDevice<T>(
  { poller }: WorkerState,
  id: number,
  signal: AbortSignal,
  work: (vantage: Vantage) => Promise<T>,
): Promise<T> {
  const { driver, device } = poller.get(id)
  const { actions } = driver
  if (!actions.vantage) throw new DeviceError('unsupported', 'no programs can be run on it')
  const session = await driver.connect(device.target, signal)
  try {
    return await work(actions.vantage(session))
  } finally {
    driver.close(session)
  }
}

const checkMs = 20_000

/** What a device's tcpdump finds wrong with a capture before it begins. Rejects with a DeviceError. */
export const checkCapture = (
  worker: WorkerState,
  { device, request }: { device: number; request: RequestOf<'capture'> },
): Promise<Refused | undefined> =>
  within(checkMs, signal => fromDevice(worker, device, signal, vantage => refusedOf(vantage, request, signal)))

/** A diagnosis, ended by `stop` or after its time. Rejects with a DeviceError. */
export function diagnose(
  worker: WorkerState,
  { device, request }: DiagnosisInput,
  stop: AbortSignal,
  tell: (progress: DiagnosisProgress) => void,
): Promise<Figures> {
  return within(diagnosisLimits.seconds * 1000, async ended => {
    const signal = AbortSignal.any([ended, stop])
    const told = { signal, line: (line: string) => tell({ line }), figures: (figures: Figures) => tell({ figures }) }
    const run = async (vantage: Vantage) => {
      if (request.tool === 'capture') {
        const sshPort = device === undefined ? 22 : worker.poller.get(device).device.target.port
        return capture({ vantage, sshPort, ...told, packet: packet => tell({ packet }) }, request)
      }
      if (request.tool !== 'iperf3') return runTool({ vantage, ...told }, request)
      const { name, target } = worker.poller.get(request.peer).device
      const fromName = device === undefined ? '' : worker.poller.get(device).device.name
      const peer = { address: target.address, name, fromName }
      return fromDevice(worker, request.peer, signal, to =>
        throughput({ from: vantage, to, ...peer, ...told }, request),
      )
    }
    return device === undefined ? run(here) : fromDevice(worker, device, signal, run)
  })
}

export type SpeedTestInput = { device?: number; server: SpeedServer }

/** How fast the internet is, seen from a device or from here; ended by `stop` or after its time. Rejects with a DeviceError. */
export const measureSpeed = (
  worker: WorkerState,
  { device, server }: SpeedTestInput,
  stop: AbortSignal,
  told: (progress: SpeedProgress) => void,
): Promise<SpeedFigures> =>
  within(speedTestLimits.wholeSeconds * 1000, ended => {
    const signal = AbortSignal.any([ended, stop])
    const tell = (phase: SpeedProgress['phase'], figures: SpeedFigures) => told({ phase, figures })
    const run = (vantage: Vantage) => speedTest({ vantage, server, signal, tell })
    return device === undefined ? run(here) : fromDevice(worker, device, signal, run)
  })

import { diagnosisLimits, type Figures, type PacketRow, type ToolRequest } from '@/model/troubleshooting/request'
import { fleetOf } from '@/server/devices/link/fleet'
import { isDeviceError, type Reason } from '@/server/drivers/driver'
import { clean } from '@/server/drivers/unix/text'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type Task, type TaskRecord, taskKind } from '@/server/kernel/task'
import type { ClientCheckInput, DiagnosisProgress } from '@/server/worker/protocol'
import { dropCaptures, keepPacket } from './captures'

/** Why a look came to nothing. `missing`: there is no such program; `nameNotFound`: the name in `detail` leads nowhere. */
export type Failure = { reason: Reason | 'missing' | 'nameNotFound'; detail: string }

/** A look at the network, and what came of it. */
export type Diagnosed = {
  request: ToolRequest
  /** Where from, with its name of then; null: this machine. */
  device: { id: number; name: string } | null
  /** Who asked for it. */
  by: string
  /** What it printed, the first of it. */
  lines: string[]
  /** Lines beyond those. */
  more: number
  figures?: Figures
  failure?: Failure
}
export type Diagnosis = Diagnosed & Pick<TaskRecord<unknown>, 'id' | 'state' | 'createdAt' | 'endedAt'>

/** Of a client that is checked: what is stored of it. */
type Client = Pick<ClientCheckInput, 'label' | 'blocked' | 'last'>

const tellEveryMs = 300

const diagnoses = taskKind<Diagnosed>({ type: 'diagnosis', topic: 'diagnoses', keptOfNetwork: diagnosisLimits.kept })
/** Those that run, by their ids. */
const running = part('diagnoses', () => new Map<string, Task<Diagnosed>>())

const shownOf = ({ id, state, createdAt, endedAt, progress }: TaskRecord<Diagnosed>): Diagnosis => ({
  ...{ id, state, createdAt, endedAt },
  ...progress,
})

/** What is no failure of the look itself is thrown on. */
export function failureOf(error: unknown): Failure {
  if (!isDeviceError(error)) throw error
  const { reason, detail = '' } = error as { reason: Reason; detail?: string }
  const [, special, what = ''] = /^(missing|nameNotFound): (.+)$/s.exec(detail) ?? []
  return special ? { reason: special as 'missing', detail: what } : { reason, detail }
}

/** Pages hear of it at most so often while it runs. */
function throttled(tell: () => void): () => void {
  let waits = false
  return () => {
    if (waits) return
    waits = true
    setTimeout(() => {
      waits = false
      tell()
    }, tellEveryMs).unref()
  }
}

type CaptureFigures = Extract<Figures, { tool: 'capture' }>

/** A capture with one packet more. */
function withPacket(figures: Figures | undefined, row: PacketRow): CaptureFigures {
  const before: CaptureFigures =
    figures?.tool === 'capture' ? figures : { tool: 'capture', packets: 0, bytes: 0, rows: [] }
  if (before.rows.length < diagnosisLimits.packetRows) before.rows.push(row)
  return { ...before, packets: before.packets + 1, bytes: before.bytes + row.length }
}

/** What the worker finds of it, told as it comes. */
async function asked(runtime: Runtime, task: Task<Diagnosed>, client: Client | undefined): Promise<Figures> {
  const { progress } = task
  const { device, request } = progress
  const news = throttled(task.tell)
  const told = (one: DiagnosisProgress) => {
    if ('figures' in one) progress.figures = one.figures
    else if ('packet' in one) {
      keepPacket(runtime, task.id, one.packet)
      progress.figures = withPacket(progress.figures, one.packet.row)
    } else if (progress.lines.length >= diagnosisLimits.lines) progress.more += 1
    else progress.lines.push(clean(one.line, diagnosisLimits.lineCharacters) ?? '')
    news()
  }
  const fleet = fleetOf(runtime)
  const stopBy = task.id
  if (request.tool !== 'client') {
    const found = await fleet.ask('diagnose', { stopBy, request, ...(device && { device: device.id }) }, told)
    const { figures } = progress
    return found.tool === 'capture' && figures?.tool === 'capture' ? { ...found, rows: figures.rows } : found
  }
  const { mac, name } = request
  const place = { network: task.network ?? 0, mac, name }
  return fleet.ask('checkClient', { stopBy, ...place, ...(client ?? { label: mac, blocked: false }) }, told)
}

async function look(runtime: Runtime, task: Task<Diagnosed>, client: Client | undefined): Promise<void> {
  const { progress } = task
  try {
    progress.figures = await asked(runtime, task, client)
  } catch (error) {
    if (task.state !== 'running') return
    progress.failure = failureOf(error)
    task.state = 'failed'
  }
}

/** How many of a network run now. */
export const runningIn = (runtime: Runtime, network: number): number =>
  [...running.of(runtime).values()].filter(task => task.network === network).length

export function startDiagnosis(
  runtime: Runtime,
  place: { network: number; organization: number },
  about: Pick<Diagnosed, 'request' | 'device' | 'by'>,
  client?: Client,
): string {
  const task = diagnoses.add(runtime, { ...place, progress: { ...about, lines: [], more: 0 } })
  running.of(runtime).set(task.id, task)
  void task.run(() => look(runtime, task, client)).finally(() => running.of(runtime).delete(task.id))
  return task.id
}

/** Undefined where the network has none of this number. */
export function diagnosisOf(runtime: Runtime, network: number, id: string): Diagnosis | undefined {
  const found = diagnoses.find(runtime, id)
  return found?.network === network ? shownOf(found) : undefined
}

/** Ends it, where it runs, too; false where there is none that runs. */
export async function stopDiagnosis(runtime: Runtime, network: number, id: string): Promise<boolean> {
  const task = running.of(runtime).get(id)
  if (task?.network !== network || task.state !== 'running') return false
  task.cancel()
  task.tell()
  await fleetOf(runtime).ask('stopSearch', id)
  return true
}

/** All that are kept of a network, newest first. */
export const diagnosesOf = (runtime: Runtime, network: number): Diagnosis[] =>
  diagnoses.all(runtime, network).map(shownOf)

export function deleteDiagnoses(runtime: Runtime, network: number, ids: readonly string[]): void {
  const isOver = (state: Diagnosis['state'] | undefined) => state !== undefined && state !== 'running'
  dropCaptures(
    runtime,
    ids.filter(id => isOver(diagnosisOf(runtime, network, id)?.state)),
  )
  diagnoses.drop(runtime, network, ids)
}

/** What the manager's end cut off has failed; what a network's former owner looked at goes with them. */
export function startDiagnoses(runtime: Runtime): void {
  diagnoses.takeUp(runtime)
  const off = runtime.bus.on(({ topic, network }) => {
    if (topic !== 'networkMoved' || network === undefined) return
    for (const task of running.of(runtime).values()) if (task.network === network) task.cancel()
    dropCaptures(
      runtime,
      diagnosesOf(runtime, network).map(one => one.id),
    )
    diagnoses.forget(runtime, network)
  })
  runtime.closers.push(off)
}

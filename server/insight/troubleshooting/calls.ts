import * as z from 'zod'
import { limits } from '@/model/limits'
import { diagnosisLimits, type Figures, type ToolRequest, targetOf, toolRequest } from '@/model/troubleshooting/request'
import { type ClientNow, clientNow } from '@/server/devices/clients/now'
import { indexedDevices } from '@/server/devices/inventory/device-index'
import { fleetOf } from '@/server/devices/link/fleet'
import { abilitiesOf } from '@/server/drivers/registry/abilities'
import { clean } from '@/server/drivers/unix/text'
import { call, type NetworkContext } from '@/server/kernel/call'
import { fail, failFields } from '@/server/kernel/fail'
import { listed, listInput } from '@/server/kernel/lists'
import { captureFile } from './captures'
import { deleteDiagnoses, diagnosesOf, diagnosisOf, runningIn, startDiagnosis, stopDiagnosis } from './diagnoses'
import { able, mayUseManager, placeOf } from './places'
import { speedTestCalls } from './speed-test-calls'

const reading = { tag: 'troubleshooting', scope: 'network', authority: 'troubleshooting', changes: false } as const
const running = {
  tag: 'troubleshooting',
  scope: 'network',
  authority: 'troubleshooting_run',
  changes: true,
  topics: ['diagnoses'],
  changelog: 'looks',
} as const

const diagnosisId = z.uuid('notFound')

const places = call({
  ...reading,
  path: 'diagnostics/places',
  input: z.strictObject({ search: z.string().max(limits.textCharacters).optional() }),
  /** {manager, devices: [{id, name, address, online}], total}: where can be looked from; the first fifty devices. */
  run(context, { search = '' }) {
    const wanted = search.trim().toLowerCase()
    const found = able(context)
      .filter(one => `${one.name} ${one.address}`.toLowerCase().includes(wanted))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    return { manager: mayUseManager(context), devices: found.slice(0, 50).map(placeOf), total: found.length }
  },
})

/** The device that a test is run from; undefined: this machine. */
function vantageOf(context: NetworkContext, deviceId: number | undefined, { tool }: ToolRequest) {
  const { runtime, network } = context
  if (tool === 'client') return deviceId === undefined ? undefined : failFields({ deviceId: 'notAllowed' })
  if (deviceId === undefined) {
    const isHere = tool !== 'iperf3' && tool !== 'capture' && mayUseManager(context)
    return isHere ? undefined : failFields({ deviceId: 'required' })
  }
  const found = indexedDevices(runtime, network.id).find(one => one.id === deviceId) ?? fail('deviceNotFound')
  return abilitiesOf(found).diagnose ? found : failFields({ deviceId: 'notAllowed' })
}

/** The other end of a throughput test is another device of the network that can run programs. */
function checkPeer(context: NetworkContext, deviceId: number | undefined, request: ToolRequest): void {
  if (request.tool !== 'iperf3') return
  const peer = able(context).find(one => one.id === request.peer)
  if (!peer || peer.id === deviceId) failFields({ 'request.peer': 'notAllowed' })
}

/** What the device's tcpdump does not take stands at its field; what else is wrong the capture itself will tell. */
async function checkCapture({ runtime }: NetworkContext, device: number | undefined, request: ToolRequest) {
  if (request.tool !== 'capture' || device === undefined) return
  const refused = await fleetOf(runtime)
    .ask('checkCapture', { device, request })
    .catch(() => undefined)
  if (!refused) return
  const field = `request.${refused.field}`
  const said = clean(refused.said, 200) ?? ''
  fail('invalidInput', { fields: { [field]: 'captureRefused' }, values: { [field]: { said } } })
}

const lastOf = ({ online, device, port, ssid, since }: ClientNow) =>
  online ? undefined : { place: ssid ?? port ?? '', at: since, ...(device !== undefined && { device }) }

/** What is stored of a client; refused where no device of the network ever saw it. */
async function checkedClient(context: NetworkContext, mac: string) {
  const client = (await clientNow(context, mac)) ?? failFields({ 'request.mac': 'notFound' })
  const last = lastOf(client)
  return { label: client.name ?? mac, blocked: client.blocked !== undefined, ...(last && { last }) }
}

const run = call({
  ...running,
  path: 'diagnostics/run',
  send: 'once',
  input: z.strictObject({
    /** Absent: from the machine that the manager runs on. */
    deviceId: z.int().min(1).optional(),
    request: toolRequest,
  }),
  /** {id}: begun; `diagnostics/result` says how it stands. A client is checked from its gateway: no `deviceId`. */
  async run(context, { deviceId, request }) {
    const { runtime, network, actor } = context
    const found = vantageOf(context, deviceId, request)
    checkPeer(context, deviceId, request)
    await checkCapture(context, deviceId, request)
    const client = request.tool === 'client' ? await checkedClient(context, request.mac) : undefined
    if (runningIn(runtime, network.id) >= diagnosisLimits.running) fail('busy')
    const device = found ? { id: found.id, name: found.name } : null
    const place = { network: network.id, organization: actor.organization }
    return { id: startDiagnosis(runtime, place, { request, device, by: actor.account }, client) }
  },
})

const result = call({
  ...reading,
  path: 'diagnostics/result',
  input: z.strictObject({ id: diagnosisId }),
  /** What it does, from where, who asked for it; its lines and figures so far; `failure` where it came to nothing. */
  run: ({ runtime, network }, { id }) => diagnosisOf(runtime, network.id, id) ?? fail('jobNotFound'),
})

const stop = call({
  ...running,
  path: 'diagnostics/stop',
  send: 'each',
  input: z.strictObject({ id: diagnosisId }),
  /** {stopped}: false where it had ended. */
  async run({ runtime, network }, { id }) {
    if (!diagnosisOf(runtime, network.id, id)) fail('jobNotFound')
    return { stopped: await stopDiagnosis(runtime, network.id, id) }
  },
})

/** A capture in a list: its figures, without its packets. */
const withoutRows = <T extends { figures?: Figures }>(one: T): T =>
  one.figures?.tool === 'capture' ? { ...one, figures: { ...one.figures, rows: [] } } : one

const list = call({
  ...reading,
  path: 'diagnostics/list',
  input: z.strictObject(listInput),
  /** What is kept of the network, newest first, without what was printed. */
  run({ runtime, network }, input) {
    const kept = diagnosesOf(runtime, network.id).map(({ lines: _lines, ...one }) => withoutRows(one))
    return listed(kept, input, {
      text: one => [one.request.tool, targetOf(one), one.device?.name, one.by],
      sort: {
        tool: ({ request }) => request.tool,
        target: targetOf,
        from: ({ device }) => device?.name ?? '',
        by: one => one.by,
        at: one => one.createdAt,
      },
    })
  },
})

const remove = call({
  ...running,
  path: 'diagnostics/delete',
  send: 'each',
  input: z.strictObject({ ids: z.array(diagnosisId).min(1, 'required').max(diagnosisLimits.kept) }),
  /** Results that ended are forgotten; one that is not there is not there afterwards either. */
  run({ runtime, network }, { ids }) {
    deleteDiagnoses(runtime, network.id, ids)
    return {}
  },
})

/** Packets hold what people send: whoever may not capture does not get the file either. */
const capture = call({
  ...reading,
  path: 'exports/capture',
  authority: 'troubleshooting_run',
  get: true,
  exports: true,
  input: z.strictObject({ id: diagnosisId }),
  /** The packets of a capture as a pcap file, also while it runs. */
  run({ runtime, network }, { id }) {
    const found = diagnosisOf(runtime, network.id, id)
    const file = found?.request.tool === 'capture' ? captureFile(runtime, id) : undefined
    if (found?.request.tool !== 'capture' || !file) return fail('jobNotFound')
    return new Response(new Uint8Array(file), {
      headers: {
        'content-type': 'application/vnd.tcpdump.pcap',
        'content-disposition': `attachment; filename="${found.request.name}.pcap"`,
        'cache-control': 'no-store',
      },
    })
  },
})

export const troubleshootingCalls = [places, run, result, stop, list, remove, capture, ...speedTestCalls] as const

import type { MessagePort } from 'node:worker_threads'
import { DeviceError } from '@/server/drivers/driver'
import { reasonOf } from './limits'
import type { CallName, Reply, Request } from './worker-api'
import type { WorkerService } from './worker-service'
import type { WorkerServiceOptions } from './worker-state'

type Events = Pick<WorkerServiceOptions, 'onStates' | 'onTrouble'>
type Waiting = { done(): void; failed(error: Error): void }

/** Answers an core's calls on a port, until `stop` was called. */
export function serveWorker(port: MessagePort, create: (events: Events) => WorkerService): void {
  const send = (reply: Reply) => port.postMessage(reply)
  const core = create({ onStates: states => send({ states }), onTrouble: trouble => send({ trouble }) })
  const acks = new Map<number, Waiting>()
  let lastAck = 0
  let stopped = false

  const progress = (id: number) => (value: unknown) =>
    new Promise<void>((done, failed) => {
      const ack = ++lastAck
      acks.set(ack, { done, failed })
      send({ id, progress: value, ack })
    })
  const answer = async (id: number, call: CallName, input: unknown) => {
    try {
      send({ id, value: await core.calls[call](input, progress(id)) })
    } catch (error) {
      const { reason, detail } = reasonOf(error)
      if (reason === 'internal') console.error(`worker call ${call}:`, error)
      send({ id, error: { reason, detail } })
    }
    if (call === 'stop') {
      stopped = true
      port.close()
    }
  }
  port.on('message', (request: Request) => {
    if ('call' in request) return void answer(request.id, request.call, request.input)
    const waiting = acks.get(request.ack)
    acks.delete(request.ack)
    if (request.error === undefined) waiting?.done()
    else waiting?.failed(new DeviceError('internal', request.error))
  })
  // The other side is gone without a word: nobody polls for nobody.
  port.once('close', () => {
    if (!stopped) void core.calls.stop(undefined, async () => undefined)
  })
  core.run()
}

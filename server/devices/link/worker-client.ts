import { DeviceError } from '@/server/drivers/driver'
import type { StateChange } from '@/server/worker/protocol'
import type { CallName, InputOf, OutputOf, ProgressOf, Reply, Request } from '@/server/worker/worker-api'

/** What a worker's end looks like from here: a Worker, or one side of a MessageChannel. */
export type Port = {
  postMessage(message: Request): void
  on(event: 'message', listener: (reply: Reply) => void): unknown
}
type OnProgress<K extends CallName> = (value: ProgressOf<K>) => void | Promise<void>
/** Asks the worker; rejects with a DeviceError, `workerAway` while there is none, or when it ended over it. Progress is awaited by the worker where it matters. */
export type Ask = <K extends CallName>(call: K, input: InputOf<K>, onProgress?: OnProgress<K>) => Promise<OutputOf<K>>

/** The worker's calls as functions. */
export type WorkerClient = {
  [K in CallName]: (input: InputOf<K>, onProgress?: OnProgress<K>) => Promise<OutputOf<K>>
}
/**
 * The calls as functions that ask by `ask`; those of `own` in place of its namesakes. Their names are types alone: the list
 * of them is the worker's, with all drivers. It has a function for every name, `then` too, so it is nothing to be awaited.
 */
export const clientOf = <O extends object>(ask: Ask, own: O): Omit<WorkerClient, keyof O> & O =>
  new Proxy(own, {
    get: (_, call) =>
      Reflect.get(own, call) ?? ((input: never, onProgress?: never) => ask(call as CallName, input, onProgress)),
  }) as Omit<WorkerClient, keyof O> & O

type Waiting = {
  call: CallName
  resolve(value: unknown): void
  reject(error: Error): void
  onProgress?: (value: never) => unknown
}
export type Link = {
  ask: Ask
  /** Calls that have no answer yet. */
  open(): CallName[]
  attach(port: Port): void
  detach(): void
}

export function createLink(events: { onStates(states: StateChange[]): void; onTrouble(what: string): void }): Link {
  const waiting = new Map<number, Waiting>()
  let port: Port | undefined
  let last = 0

  const progress = async (from: Port, reply: Extract<Reply, { progress: unknown }>) => {
    try {
      await waiting.get(reply.id)?.onProgress?.(reply.progress as never)
      from.postMessage({ ack: reply.ack })
    } catch (error) {
      from.postMessage({ ack: reply.ack, error: error instanceof Error ? error.message : String(error) })
    }
  }
  const take = (from: Port, reply: Reply) => {
    if ('states' in reply) return events.onStates(reply.states)
    if ('trouble' in reply) return events.onTrouble(reply.trouble)
    if ('progress' in reply) return void progress(from, reply)
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('error' in reply) one?.reject(new DeviceError(reply.error.reason, reply.error.detail))
    else one?.resolve(reply.value)
  }

  return {
    ask: ((call, input, onProgress) =>
      new Promise((resolve, reject) => {
        if (!port) return reject(new DeviceError('workerAway'))
        const id = ++last
        waiting.set(id, { call, resolve, reject, onProgress })
        port.postMessage({ id, call, input })
      })) as Ask,
    open: () => [...new Set([...waiting.values()].map(one => one.call))],
    attach(next) {
      port = next
      next.on('message', reply => take(next, reply))
    },
    detach() {
      port = undefined
      for (const one of waiting.values()) one.reject(new DeviceError('workerAway'))
      waiting.clear()
    },
  }
}

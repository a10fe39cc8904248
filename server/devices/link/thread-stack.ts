import { Session } from 'node:inspector'

const waitMs = 10_000
const deepest = 8

type Frame = { functionName: string; location: { lineNumber: number } }
type Told = { method?: string; params?: { callFrames?: Frame[] } }
type Attached = { params: { sessionId: string; workerInfo: { title: string } } }

/** `[worker 3] name`, by the thread's id; `workerId` beside it counts what the inspector has seen. */
const isThread = (title: string, threadId: number) => new RegExp(`\\bworker ${threadId}\\b`, 'i').test(title)

const nameOf = ({ functionName, location }: Frame) => `${functionName || 'anonymous'}:${location.lineNumber + 1}`

/**
 * Functions that a thread of this process is in right now with their lines, innermost first, at most eight. It is stopped for the look, and
 * goes on afterwards: the only way to hear of one that answers nothing. Empty where it cannot be seen within 10 seconds.
 */
export function stackOf(threadId: number): Promise<string[]> {
  const session = new Session()
  session.connect()
  let target: string | undefined
  const tell = (method: string) => {
    const message = JSON.stringify({ id: 1, method })
    if (target !== undefined) session.post('NodeWorker.sendMessageToWorker', { sessionId: target, message })
  }
  return new Promise<string[]>(done => {
    const timer = setTimeout(() => done([]), waitMs)
    session.on('NodeWorker.attachedToWorker', ({ params }: Attached) => {
      if (!isThread(params.workerInfo.title, threadId)) return
      target = params.sessionId
      tell('Debugger.enable')
      tell('Debugger.pause')
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }: { params: { message: string } }) => {
      const { method, params: seen } = JSON.parse(params.message) as Told
      if (method !== 'Debugger.paused') return
      clearTimeout(timer)
      done((seen?.callFrames ?? []).slice(0, deepest).map(nameOf))
    })
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  }).finally(() => {
    // A thread that stands in the debugger would not even end.
    tell('Debugger.disable')
    session.post('NodeWorker.disable')
    session.disconnect()
  })
}

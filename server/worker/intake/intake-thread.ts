import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { surviveCallbacks } from '../uncaught'
import { createIntake, type Intake } from './intake'
import type { FromIntake, ToIntake } from './protocol'

// The thread that receives devices' lines and writes them. Only this shell knows that it is a thread.

function start(port: MessagePort, folder: string): void {
  const end = (error: unknown): never => {
    console.error('logs: the reception ends, it cannot go on:', error)
    // Of the thread alone.
    return process.exit(1)
  }
  const send = (message: FromIntake) => port.postMessage(message)
  const begin = (): Intake => {
    try {
      return createIntake({
        folder,
        onStatus: status => send({ status }),
        onNews: news => send({ news }),
        onLook: look => send({ look }),
        onRule: rule => send({ rule }),
        onCaptured: captured => send({ captured }),
        onRecords: records => send({ records }),
        onRecorded: recorded => send({ recorded }),
      })
    } catch (error) {
      return end(error)
    }
  }
  const intake = begin()
  surviveCallbacks(process, { tell: what => console.error('logs:', what), end })
  port.on('message', (message: ToIntake) => {
    if (!('stop' in message)) return intake.tell(message)
    void intake.stop().finally(() => {
      send({ stopped: true })
      port.close()
    })
  })
}

if (parentPort) start(parentPort, (workerData as { folder: string }).folder)

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { FromReader, ToReader } from './protocol'
import { openReader } from './search'

// The thread that searches lines: a long search holds up neither pages nor the reception.

function start(port: MessagePort, folder: string): void {
  const reader = openReader(folder)
  const send = (message: FromReader) => port.postMessage(message)
  port.on('message', (asked: ToReader) => {
    const { id } = asked
    try {
      send('rule' in asked ? { id, matches: reader.matches(asked.rule) } : { id, page: reader.find(asked.query) })
    } catch (error) {
      console.error('logs: search:', error)
      send({ id, error: error instanceof Error ? error.message : String(error) })
    }
  })
  port.once('close', () => reader.close())
}

if (parentPort) start(parentPort, (workerData as { folder: string }).folder)

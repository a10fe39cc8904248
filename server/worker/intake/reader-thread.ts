import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { FromReader, ToReader } from './protocol'
import { openRecordReader } from './record-search'
import { openReader } from './search'

// The thread that searches lines: a long search holds up neither pages nor the reception.

function start(port: MessagePort, folder: string): void {
  const reader = openReader(folder)
  const records = openRecordReader(folder)
  const send = (message: FromReader) => port.postMessage(message)
  port.on('message', (asked: ToReader) => {
    const { id } = asked
    try {
      if ('rule' in asked) send({ id, matches: reader.matches(asked.rule) })
      else if ('records' in asked) send({ id, records: records.find(asked.records) })
      else if ('sites' in asked) send({ id, sites: records.sites(asked.sites) })
      else send({ id, page: reader.find(asked.query) })
    } catch (error) {
      console.error('logs: search:', error)
      send({ id, error: error instanceof Error ? error.message : String(error) })
    }
  })
  port.once('close', () => {
    reader.close()
    records.close()
  })
}

if (parentPort) start(parentPort, (workerData as { folder: string }).folder)

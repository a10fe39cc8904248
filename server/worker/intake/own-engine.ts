import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { OwnEngine } from '@/server/drivers/snmp/protocol/notification-v3'

/** Enterprise 0, which nobody has, and a number of our own making (RFC 3411, SnmpEngineID). */
const newId = () => `8000000005${randomBytes(12).toString('hex')}`
const isId = /^8000000005[0-9a-f]{24}$/
const mostBoots = 2_147_483_646

function read(path: string): { id: string; boots: number } | undefined {
  try {
    const { id, boots } = JSON.parse(readFileSync(/* turbopackIgnore: true */ path, 'utf8')) as Record<string, unknown>
    if (typeof id === 'string' && isId.test(id) && typeof boots === 'number' && boots < mostBoots) return { id, boots }
  } catch {
    // None yet, or damaged: senders of informs find the new one out.
  }
  return undefined
}

/** The engine by which informs of version 3 are proven fresh: it begins once more with each start. */
export function openOwnEngine(folder: string): OwnEngine {
  const path = `${folder}/engine.json`
  const former = read(path)
  const id = former?.id ?? newId()
  const boots = (former?.boots ?? 0) + 1
  mkdirSync(/* turbopackIgnore: true */ folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(/* turbopackIgnore: true */ `${path}.new`, JSON.stringify({ id, boots }), { mode: 0o600 })
    renameSync(/* turbopackIgnore: true */ `${path}.new`, path)
  } catch (error) {
    console.error('logs: the engine of informs cannot be kept:', error instanceof Error ? error.message : error)
  }
  const begun = performance.now()
  return {
    id: Buffer.from(id, 'hex'),
    now: () => ({ boots, time: Math.floor((performance.now() - begun) / 1000) }),
  }
}

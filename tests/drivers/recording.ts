import type { Observation } from '@/server/drivers/observation'
import { snmpDriver } from '@/server/drivers/snmp/driver'
import { readWalk, startAgent } from './snmp-agent'

/** The whole reading of a recording, as the manager would get it. */
export async function observeWalk(file: string): Promise<Observation & { requests: number }> {
  const agent = await startAgent(readWalk(file))
  const target = {
    address: '127.0.0.1',
    port: agent.port,
    credential: { type: 'snmp2c', community: 'public' },
  } as const
  try {
    const session = await snmpDriver.connect(target, AbortSignal.timeout(60_000))
    const observation = await snmpDriver.observe(session, 'full')
    snmpDriver.close(session)
    return { ...observation, requests: agent.requests }
  } finally {
    await agent.close()
  }
}

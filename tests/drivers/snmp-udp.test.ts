import { ask, freshId } from '@/server/drivers/snmp/protocol/udp'

test('an address that nothing leads to ends the try with its reason, not the process', async () => {
  const uncaught: unknown[] = []
  const listen = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', listen)
  // A broadcast address: the system refuses to connect a socket to it, and sends nothing.
  const peer = { address: '255.255.255.255', port: 161, family: 4 } as const
  await expect(ask(peer, freshId(), Buffer.alloc(8), [{ milliseconds: 500, connected: true }])).rejects.toMatchObject({
    reason: 'noRoute',
  })
  await new Promise(done => setTimeout(done, 50))
  process.off('uncaughtException', listen)
  expect(uncaught).toEqual([])
})

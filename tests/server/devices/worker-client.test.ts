import { clientOf } from '@/server/devices/link/worker-client'

test('a call of the worker is asked by its name, with its input and who hears its progress', async () => {
  const asked: unknown[] = []
  const heard = () => undefined
  const ask = (async (...given: unknown[]) => asked.push(given)) as never
  const client = clientOf(ask, { uplinks: async (network: number) => `own ${network}` })
  await client.reboot({ id: 1 })
  await client.sweep({ id: 'a' } as never, heard)
  expect(asked).toEqual([
    ['reboot', { id: 1 }, undefined],
    ['sweep', { id: 'a' }, heard],
  ])
  expect([await client.uplinks(7), asked.length]).toEqual(['own 7', 2])
})

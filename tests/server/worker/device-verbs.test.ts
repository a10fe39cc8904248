import type { Driver } from '@/server/drivers/driver'
import { drivers } from '@/server/drivers/registry/registry'
import { deviceVerbs } from '@/server/worker/device-verbs'

/** Not of a device's turn: a look from a device goes over a connection of its own (`fromDevice`). */
const elsewhere = ['vantage']

/** Every action below `actions`, by its path. */
const pathsOf = (actions: object): string[] =>
  Object.entries(actions).flatMap(([name, action]) =>
    typeof action === 'object' ? pathsOf(action).map(path => `${name}.${path}`) : [name],
  )

/** Has everything at every path, and keeps what is called. */
const recorder = (called: string[], path: string[] = []): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) => recorder(called, [...path, String(name)]),
    apply: () => void called.push(path.join('.')),
  })

/** The actions that each verb asks of a driver. */
async function asked() {
  const verbs = Object.entries(deviceVerbs).map(async ([verb, { run }]) => {
    const called: string[] = []
    const turn = { facts: () => undefined, progress: async () => undefined }
    const asks = async () => run(recorder(called) as Driver<unknown>, 'session', {} as never, turn)
    // What is made of the answers needs answers.
    await asks().catch(() => undefined)
    return called.filter(path => path.startsWith('actions.')).map(path => ({ verb, path: path.slice(8) }))
  })
  return (await Promise.all(verbs)).flat()
}

test('every action of a driver is one verb, and every verb of an action is about one that some driver has', async () => {
  const actions = [...new Set(drivers.flatMap(driver => pathsOf(driver.actions)))]
  const paths = (await asked()).map(one => one.path)
  expect(actions.length).toBeGreaterThan(10)
  expect([...paths, ...elsewhere].sort()).toEqual(actions.sort())
})

test('a verb asks for one action at most', async () => {
  const verbs = (await asked()).map(one => one.verb)
  expect(verbs).toEqual([...new Set(verbs)])
})

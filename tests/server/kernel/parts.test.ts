// What areas keep in the runtime: by one name and type, asked for by those who need it.
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { type Manager, startTestManager } from '../_manager'

let one: Manager
beforeAll(async () => {
  one = await startTestManager()
})
afterAll(() => one.stop())

type Boiler = { litres: number }

test('a part that was not started says its name', () => {
  const boiler = part<Boiler>('boiler')
  expect(() => boiler.of(one.runtime)).toThrow('boiler is not started')
  expect(boiler.find(one.runtime)).toBeUndefined()
  const value = { litres: 40 }
  boiler.start(one.runtime, value)
  expect([boiler.of(one.runtime), boiler.find(one.runtime)]).toEqual([value, value])
  boiler.stop(one.runtime)
  expect(() => boiler.of(one.runtime)).toThrow('boiler is not started')
})

test('one that makes itself is made once, at the first question', () => {
  const make = jest.fn(() => ({ litres: 7 }))
  const kettle = part('kettle', make)
  expect([kettle.find(one.runtime), make.mock.calls.length]).toEqual([undefined, 0])
  kettle.of(one.runtime).litres = 3
  expect([kettle.of(one.runtime), make.mock.calls.length]).toEqual([{ litres: 3 }, 1])
  kettle.stop(one.runtime)
  expect(kettle.of(one.runtime)).toEqual({ litres: 7 })
})

test('a module that is built twice finds the same part; another manager has its own', () => {
  const make = () => ({ litres: 1 })
  const [built, again] = [part('urn', make), part('urn', make)]
  expect(again.of(one.runtime)).toBe(built.of(one.runtime))
  const other = { parts: new Map() } as unknown as Runtime
  expect(built.of(other)).not.toBe(built.of(one.runtime))
})

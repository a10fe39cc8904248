import { filledKeys, isOver, presetUse, replacedKeys, withoutPreset } from '@/app/_form/preset'
import type { Data } from '@/model/kind'
import { fc } from '../_property'

const start: Data = { name: '', protocol: 'tcp', ports: '', bands: [] }
/** Values after a preset was taken, and its use. */
const taken = (id: string, fields: Data, now: Data, former?: ReturnType<typeof presetUse>) => {
  const use = presetUse(id, fields, now, former)
  return { use, now: { ...withoutPreset(now, former), ...use.filled } }
}

test('one fills its fields in, says which it changed, and is undone', () => {
  const { use, now } = taken('web', { protocol: 'tcp', ports: '80,443' }, start)
  expect(now).toEqual({ ...start, ports: '80,443' })
  expect(filledKeys(use, now)).toEqual(['ports'])
  expect(replacedKeys(use, now, start)).toEqual([])
  expect(withoutPreset(now, use)).toEqual(start)
})

test('what somebody had typed is said to be replaced, and comes back', () => {
  const typed = { ...start, ports: '8080' }
  const { use, now } = taken('web', { protocol: 'tcp', ports: '80,443' }, typed)
  expect(replacedKeys(use, now, start)).toEqual(['ports'])
  expect(withoutPreset(now, use)).toEqual(typed)
  const other = taken('ssh', { protocol: 'tcp', ports: '22' }, now, use)
  expect(replacedKeys(other.use, other.now, start)).toEqual(['ports'])
  expect(withoutPreset(other.now, other.use)).toEqual(typed)
})

test('another one takes the place of the first: what the first alone had filled in is as before', () => {
  const first = taken('a', { protocol: 'udp', bands: ['2g'] }, start)
  const second = taken('b', { ports: '22' }, first.now, first.use)
  expect(second.now).toEqual({ ...start, ports: '22' })
})

test('what is changed by hand afterwards stays, with undo and with another one', () => {
  const first = taken('a', { protocol: 'udp', ports: '51820' }, start)
  const typed = { ...first.now, ports: '51821' }
  expect(filledKeys(first.use, typed)).toEqual(['protocol'])
  expect(withoutPreset(typed, first.use)).toEqual({ ...start, ports: '51821' })
  const second = taken('b', { protocol: 'tcpUdp' }, typed, first.use)
  expect(second.now).toEqual({ ...start, protocol: 'tcpUdp', ports: '51821' })
})

test('it is over once nothing is left of it; one that changed nothing is not', () => {
  const { use, now } = taken('a', { protocol: 'tcp', ports: '22' }, start)
  expect([isOver(use, now), isOver(use, { ...now, ports: '2222' }), isOver(use, start)]).toEqual([false, true, true])
  const same = taken('b', { protocol: 'tcp' }, start)
  expect([filledKeys(same.use, same.now), isOver(same.use, same.now)]).toEqual([[], false])
})

test('whatever is typed and chosen in whatever order, nothing typed is lost once all is undone', () => {
  const key = fc.constantFrom('name', 'protocol', 'ports')
  const preset = fc.dictionary(key, fc.constantFrom('x', 'y', 'z'), { minKeys: 1 })
  const typing = fc.record({ key, value: fc.constantFrom('typed 1', 'typed 2') })
  fc.assert(
    fc.property(fc.array(fc.oneof(preset, typing)), steps => {
      let now = start
      let use: ReturnType<typeof presetUse> | undefined
      const typed: Data = {}
      for (const step of steps as (Data | { key: string; value: string })[]) {
        if ('key' in step && 'value' in step) {
          now = { ...now, [String(step.key)]: step.value }
          typed[String(step.key)] = step.value
        } else ({ use, now } = taken('any', step, now, use))
      }
      expect(withoutPreset(now, use)).toEqual({ ...start, ...typed })
    }),
  )
})

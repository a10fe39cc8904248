/** @jest-environment node */
import { newKey } from '@/app/_form/generated-key'
import { wpaKeyProblem } from '@/model/rules'

test('W2: a generated key is taken, can be read aloud, and is another each time', () => {
  const keys = Array.from({ length: 500 }, newKey)
  for (const key of keys) {
    expect(key).toMatch(/^[a-hj-km-np-z02-9]{5}(-[a-hj-km-np-z02-9]{5}){3}$/)
    expect(wpaKeyProblem(key)).toBeUndefined()
  }
  expect(new Set(keys).size).toBe(keys.length)
  // Every sign comes: none of the five bits is lost.
  expect(new Set(keys.join('').replaceAll('-', '')).size).toBe(32)
})

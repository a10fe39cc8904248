import { hasUnsaved, holdUnsaved, onSessionEnd, signedInAgain } from '@/app/_api/session-end'

/** Stands where the shell's question stands; every question is answered by hand. */
function person() {
  const open: ((again: boolean) => void)[] = []
  let asked = 0
  const off = onSessionEnd(() => {
    asked++
    return new Promise(answer => open.push(answer))
  })
  return { off, answer: (again: boolean) => open.shift()?.(again), asked: () => asked }
}

const settled = async (one: Promise<unknown>) => {
  const late = Symbol('late')
  return (await Promise.race([one, new Promise(done => setTimeout(done, 5, late))])) !== late
}

test('nobody is asked while nothing is unsaved', async () => {
  const { off, asked } = person()
  expect(await signedInAgain(false)).toBe(false)
  expect(asked()).toBe(0)
  off()
})

test('one question for all calls; all of them are tried again after it', async () => {
  const { off, answer, asked } = person()
  const release = holdUnsaved()
  const calls = [signedInAgain(false), signedInAgain(true), signedInAgain(false)]
  expect(asked()).toBe(1)
  answer(true)
  expect(await Promise.all(calls)).toEqual([true, true, true])
  release()
  expect(hasUnsaved()).toBe(false)
  off()
})

test('who declines is asked again by the next act alone; what the page asks by itself waits, and goes on after that', async () => {
  const { off, answer, asked } = person()
  const release = holdUnsaved()
  const save = signedInAgain(false)
  const part = signedInAgain(true)
  answer(false)
  expect(await save).toBe(false)
  const later = signedInAgain(true)
  expect(await settled(Promise.race([part, later]))).toBe(false)
  expect(asked()).toBe(1)
  const again = signedInAgain(false)
  expect(asked()).toBe(2)
  answer(true)
  expect(await Promise.all([again, part, later])).toEqual([true, true, true])
  release()
  off()
})

test('what waits goes on when nothing is unsaved any more', async () => {
  const { off, answer } = person()
  const release = [holdUnsaved(), holdUnsaved()]
  const part = signedInAgain(true)
  answer(false)
  release[0]?.()
  expect(await settled(part)).toBe(false)
  release[1]?.()
  expect(await part).toBe(true)
  off()
})

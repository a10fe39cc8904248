import { isOwnAndQuiet } from '@/app/(console)/network/[networkId]/settings/review/_parts/at-once'

const own = { by: 'marta' }
const others = { by: 'rui' }
const device = (clients: number, modified = true) => ({ modified, impact: { clients } })

test.each([
  ['own changes that interrupt nobody', [own], [device(0)], true],
  ['no change of settings at all', [], [device(0)], true],
  ['somebody else changed something, too', [own, others], [device(0)], false],
  ['one client would be interrupted', [own], [device(0), device(1)], false],
  ['clients of a device that is not pushed to', [own], [device(0), device(7, false)], true],
])('pushed at once: %s', (_, changes, devices, at) => {
  expect(isOwnAndQuiet({ changes, devices }, 'marta')).toBe(at)
})

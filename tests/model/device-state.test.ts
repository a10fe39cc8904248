import { deviceState } from '@/model/device-state'

test.each([
  [{ status: 1 }, 'online'],
  [{ status: 1, reason: '' }, 'online'],
  // It answered, and not all of it could be read.
  [{ status: 1, reason: 'malformed' }, 'online'],
  [{ status: 1, reason: 'timeout' }, 'silent'],
  [{ status: 1, reason: 'noRoute' }, 'silent'],
  [{ status: 1, reason: 'closed' }, 'silent'],
  [{ status: 0, reason: 'timeout' }, 'offline'],
  [{ status: 3, reason: 'workerAway' }, 'paired'],
  [{ status: 2 }, 'unpaired'],
  [{ status: 9 }, 'unpaired'],
])('a device of %j is %s', (device, state) => expect(deviceState(device)).toBe(state))

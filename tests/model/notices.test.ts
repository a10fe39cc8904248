import { check } from '@/model/kind'
import { notices } from '@/model/notify/notices'

const judged = (length: number) => {
  const address = `${'x'.repeat(length - '@example.org'.length)}@example.org`
  const checked = check(notices, { mode: 'mail', to: ['ops@example.org', address] })
  return 'data' in checked ? {} : checked.fields
}

test('A19: a receiver of alerts has 64 characters at most', () => {
  expect(judged(64)).toEqual({})
  expect(judged(65)).toEqual({ to: 'receiverLong' })
})

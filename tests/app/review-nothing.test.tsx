/** @jest-environment jsdom */
import { Nothing } from '@/app/(console)/network/[networkId]/settings/review/_parts/review'
import change from '@/locales/en/change.json'
import { inNetwork } from './_in-network'

type Changes = Parameters<typeof Nothing>[0]['changes']
const whole: Changes = { total: 0, devices: [], changes: [], unknown: 0, readOnly: [], leftOut: 0 }
const said = (more: Partial<Changes>) => inNetwork(<Nothing changes={{ ...whole, ...more }} />, { change }).textContent

test('devices are called up to date only where all of them are known to have every setting', () => {
  expect(said({})).toBe('All devices are up to date.')
  expect(said({ leftOut: 1 })).toBe('Nothing to push')
  expect(said({ readOnly: [{ name: 'Quay', kind: 'port', device: 'sw1' }] })).toBe('Nothing to push')
  expect(said({ unknown: 1 })).toBe('Nothing to push1 device was never read: whether it is up to date is unknown.')
})

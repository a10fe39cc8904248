/** @jest-environment jsdom */

import { OnDevice } from '@/app/_shared/clients/columns'
import {
  DeviceStatus,
  StateBadge,
  shapeOf,
  staleness,
} from '@/app/(console)/network/[networkId]/devices/_parts/device-state'
import { statusFilter } from '@/app/(console)/network/[networkId]/devices/_parts/filters'
import clients from '@/locales/en/clients.json'
import common from '@/locales/en/common.json'
import devices from '@/locales/en/devices.json'
import { inNetwork } from './_in-network'

const words = { clients, common, devices }
const silent = { status: 1, reason: 'timeout', statusAt: 0, openLogin: true }
const online = { ...silent, reason: '', openLogin: false }

test('a device that does not answer is nowhere called online: page head, rows, drawings and values', () => {
  expect(inNetwork(<StateBadge device={silent} />, words).textContent).toBe('Last poll failed')
  expect(inNetwork(<DeviceStatus device={silent} />, words).textContent).toBe('Last poll failed')
  expect(shapeOf(silent)).toBe('stale')
  expect(staleness(silent)).toBe('stale')
  expect(inNetwork(<StateBadge device={online} />, words).textContent).toBe('Online')
  expect([shapeOf(online), staleness(online)]).toEqual(['online', undefined])
  expect([shapeOf({ ...silent, status: 0 }), staleness({ status: 0 })]).toEqual(['offline', 'offline'])
})

test.each(['malformed', 'credentials', 'hostKeyChanged'])(
  'one whose reading fails by %s is not called online, nor drawn so',
  reason => {
    const unread = { ...online, reason }
    expect(inNetwork(<StateBadge device={unread} />, words).textContent).toBe('Cannot be read')
    const row = inNetwork(<DeviceStatus device={{ ...unread, openLogin: true }} />, words)
    expect(row.textContent).toBe('Cannot be read')
    expect(row.innerHTML).not.toContain('online')
    expect(shapeOf(unread)).toBe('warning')
  },
)

test('a client behind it says so', () => {
  const client = { device: 7, deviceName: 'ap1' }
  expect(inNetwork(<OnDevice client={client} />, words).textContent).toBe('ap1')
  expect(inNetwork(<OnDevice client={{ ...client, silent: true }} />, words).textContent).toBe(
    'Its device does not answerap1',
  )
})

test('the chip of the online ones lists no silent one', () => {
  expect(statusFilter('1')).toEqual({ status: [1], silent: false })
  expect(statusFilter('silent')).toEqual({ status: [1], silent: true })
  expect(statusFilter('0')).toEqual({ status: [0] })
  expect(statusFilter('')).toBe(false)
})

/** @jest-environment jsdom */
import { Configuration } from '@/app/(console)/network/[networkId]/devices/_parts/configuration'
import common from '@/locales/en/common.json'
import devices from '@/locales/en/devices.json'
import { inNetwork } from './_in-network'

type Props = Parameters<typeof Configuration>[0]
const can = { settings: 'all' } as Props['device']['can']
const waits = (state: string, online = true) => new Map([[7, { state, online }]]) as unknown as Props['changed']
const drawn = (changed: Props['changed'], missed: Props['missed']) =>
  inNetwork(<Configuration device={{ id: 7, can }} {...{ changed, missed }} />, { common, devices })
const said = (changed: Props['changed'], missed: Props['missed']) => drawn(changed, missed).textContent

const none: Props['changed'] = new Map()

test('only a device that has every setting given to it is in sync', () => {
  expect(said(none, new Map([[7, 0]]))).toBe('In sync')
  expect(said(none, new Map([[7, 1]]))).toBe('1 setting does not reach it')
  expect(said(none, new Map([[7, 3]]))).toBe('3 settings do not reach it')
  // Nobody read it: what it has is not known.
  expect(said(none, new Map([[7, null]]))).toBe('Not read')
  expect(said(none, undefined)).not.toBe('In sync')
  expect(said(undefined, new Map([[7, 0]]))).not.toBe('In sync')
})

test('what waits for a push is said first', () => {
  expect(said(waits('modified'), new Map([[7, 1]]))).toBe('Modified')
  expect(said(waits('modified', false), new Map([[7, 1]]))).toBe('Modified')
})

test('what does not reach a device leads to where the reasons are', () => {
  const link = drawn(none, new Map([[7, 2]])).querySelector('a')
  expect(link?.getAttribute('href')).toBe('/network/1/devices/detail?id=7')
})

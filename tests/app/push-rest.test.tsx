/** @jest-environment jsdom */
import { act, fireEvent, screen, within } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PushRest } from '@/app/(console)/network/[networkId]/settings/review/_parts/push-rest'
import change from '@/locales/en/change.json'
import common from '@/locales/en/common.json'
import type { PushDevice, PushResult } from '@/server/devices/change/push/batch'
import { inNetwork } from './_in-network'

const sent: unknown[] = []
globalThis.fetch = ((address: string, { body }: { body: string }) => {
  sent.push([address, JSON.parse(body)])
  const answer = { retCode: 0, data: { jobId: 'next' } }
  return Promise.resolve({ status: 200, headers: new Headers(), json: () => Promise.resolve(answer) })
}) as unknown as typeof fetch

const device = (deviceId: number, more: Partial<PushDevice>): PushDevice => ({
  ...{ deviceId, name: `ap${deviceId}`, address: '', deploymentId: `${deviceId}`, state: 'failed', step: '' },
  ...{ reason: '', detail: '', values: {}, culprits: [], without: [], rest: false, agreed: [] },
  ...{ confirmSeconds: 60, startedAt: null, endedAt: null, ...more },
})
const untried = (deviceId: number, more: Partial<PushDevice> = {}) =>
  device(deviceId, { reason: 'notTried', rest: true, ...more })
const quay = { id: 'q', kind: 'ssid', name: 'Quay' }
const berth = { id: 'b', kind: 'ssid', name: 'Berth' }

/** What the button is called, what it asks, and what it then sends; undefined where there is none. */
async function offered(devices: PushDevice[]) {
  sent.length = 0
  const push: PushResult = { jobId: 'first', state: 'done', stopped: true, by: 'anna', createdAt: 0, devices }
  const went: string[] = []
  const router = { push: (to: string) => went.push(to) } as never
  inNetwork(
    <AppRouterContext.Provider value={router}>
      <PushRest push={push} networkId={1} />
    </AppRouterContext.Provider>,
    { change, common, kinds: { ssid: 'Wi-Fi network' } },
  )
  const button = screen.queryByRole('button')
  if (!button) return undefined
  const label = button.textContent
  fireEvent.click(button)
  const dialog = screen.getByRole('dialog')
  const asks = [...dialog.querySelectorAll('li')].map(one => one.textContent)
  const action = label && within(dialog).queryByRole('button', { name: label })
  await act(async () => fireEvent.click(action || within(dialog).getByRole('button', { name: 'Push anyway' })))
  return { label, asks, sent: sent[0], went }
}

test('without a culprit the devices that were not tried are offered, and who is left out is said', async () => {
  const lost = device(1, { state: 'unknown', reason: 'timeout' })
  const cut = device(2, { reason: 'cutsPath' })
  const done = device(3, { state: 'applied' })
  expect(await offered([lost, cut, done, untried(4, { agreed: ['drift'] }), untried(5, { without: [berth] })])).toEqual(
    {
      label: 'Push to 2 devices not tried',
      asks: [
        'Changes made on ap4 itself are overwritten.',
        expect.stringMatching(/^Left out: ap1, ap2\. The same settings may fail/),
        'Wi-Fi network “Berth” stays as the devices have it; everything else is pushed.',
      ],
      sent: ['/app/devices/push', { deviceIds: [4, 5], without: ['b'], overwrite: [4], cut: [] }],
      went: ['/network/1/settings/review?job=next'],
    },
  )
})

test('with a culprit the rest goes without it, and without what was left out before', async () => {
  const back = device(1, { state: 'reverted', culprits: [quay], without: [berth], rest: true })
  expect(await offered([back, untried(2, { without: [berth] })])).toMatchObject({
    label: 'Push the rest without it',
    asks: ['Wi-Fi network “Berth”, Wi-Fi network “Quay” stays as the devices have it; everything else is pushed.'],
    sent: ['/app/devices/push', { deviceIds: [1, 2], without: ['b', 'q'] }],
  })
})

test('devices that changed together do so again, and what that costs is said', async () => {
  const agreed: PushDevice['agreed'] = ['together']
  const back = device(1, { state: 'reverted', culprits: [quay], rest: true, agreed })
  expect(await offered([back, device(2, { state: 'reverted', reason: 'togetherReverted', agreed })])).toMatchObject({
    asks: [expect.stringMatching(/“Quay”/), expect.stringMatching(/^Lanward confirms .* all 2 devices .* all revert/)],
    sent: ['/app/devices/push', { deviceIds: [1, 2], without: ['q'], together: true }],
  })
})

test.each([
  ['every device was tried', [device(1, { state: 'reverted', reason: 'tooLate' }), device(2, { state: 'applied' })]],
  ['the push changed nothing but what it failed by', [device(1, { state: 'reverted', culprits: [quay] })]],
])('nothing is offered where %s', async (_why, devices) => {
  expect(await offered(devices)).toBeUndefined()
})

/** @jest-environment jsdom */
import { act, render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { MayProvider } from '@/app/_api/may'
import { type Reach, useSaved } from '@/app/_shared/left-out'
import { Toaster } from '@/app/_ui/toast'
import change from '@/locales/en/change.json'
import common from '@/locales/en/common.json'
import type { Authority } from '@/model/authority'
import type { KindId } from '@/model/registry'

const asked: string[] = []
let left: Partial<Reach>[] = []
globalThis.fetch = ((address: string) => {
  asked.push(address)
  const answer = { retCode: 0, data: { result: left } }
  return Promise.resolve({ status: 200, headers: new Headers(), json: () => Promise.resolve(answer) })
}) as unknown as typeof fetch

const reach: Reach = { id: 's1', kind: 'ssid', name: 'Staff', given: true, of: 2, on: 1, partly: 0, reasons: [] }
const values = { ssid: 'Staff', radio: 'wlan0', vlan: 20 }
const missing = { code: 'vlanMissing' as const, effect: 'out' as const, values, count: 1 }

function Saves({ kind }: { kind: KindId }) {
  const tell = useSaved()
  return (
    <button type="button" onClick={() => void tell({ kind, id: 's1' })}>
      Save
    </button>
  )
}

async function said(kind: KindId = 'ssid', held: Authority[] = ['devices']): Promise<string | null> {
  const { unmount } = render(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={{ change, common }}>
      <MayProvider authorities={held}>
        <Saves kind={kind} />
      </MayProvider>
      <Toaster />
    </NextIntlClientProvider>,
  )
  await act(async () => screen.getByRole('button', { name: 'Save' }).click())
  const text = [...document.querySelectorAll('.toast')].at(-1)?.textContent ?? null
  unmount()
  return text
}

test('what reaches every device it was given to is saved, and no more is said', async () => {
  left = [{ ...reach, id: 'other' }]
  expect(await said()).toBe('Saved')
})

test('what reaches not all of them is said with the first reason', async () => {
  left = [{ ...reach, reasons: [{ ...missing, devices: [{ id: 1, name: 'ap1' }] }] }]
  expect(await said()).toMatch(/^Saved\. On 1 of 2 access points\.ap1: “Staff” is not broadcast on wlan0/)
})

test('what no device can have, and what is given to none, says what to do', async () => {
  left = [{ ...reach, of: 0, on: 0 }]
  expect(await said()).toBe(
    'Saved. On no access point: no assigned device supports it.Assign it to devices that support it.',
  )
  left = [{ ...reach, of: 0, on: 0, given: false }]
  expect(await said()).toMatch(/^Saved\. On no access point: it is not assigned to any\./)
})

test('what is for no device by itself is not asked for, nor by who may not see devices', async () => {
  asked.length = 0
  left = [reach]
  expect(await said('schedule')).toBe('Saved')
  expect(await said('ssid', [])).toBe('Saved')
  expect(asked).toEqual([])
})

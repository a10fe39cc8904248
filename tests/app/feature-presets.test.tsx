/** @jest-environment jsdom */
import { fireEvent, render, screen, within } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { useState } from 'react'
import { FeatureTree } from '@/app/(console)/organization/_parts/feature-tree'
import common from '@/locales/en/common.json'
import roles from '@/locales/en/roles.json'
import { keyPresets } from '@/model/authority-presets'

// What somebody may give who reads alerts, changes devices, and has nothing to do with the manager.
const feature = (read: string, edits: string[], mayEdit = edits.length > 0) => ({ read, edits, mayRead: true, mayEdit })
const areas = [
  {
    area: 'network',
    features: [
      feature('devices', ['devices_edit']),
      feature('alerts', ['alerts_edit'], false),
      feature('vouchers', ['vouchers_edit']),
      feature('exports', []),
    ],
  },
  { area: 'organization', features: [feature('organization_network', ['organization_network_add'])] },
]

let held: readonly string[] = []
function Form() {
  const [now, setNow] = useState<readonly string[]>([])
  held = now
  return (
    <NextIntlClientProvider locale="en" messages={{ common, roles }}>
      <FeatureTree areas={areas} held={now} onChange={setNow} presets={keyPresets} />
    </NextIntlClientProvider>
  )
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const set = (name: string, level: string) =>
  fireEvent.click(within(screen.getByRole('group', { name })).getByRole('button', { name: level }))
const said = () => screen.getByRole('status').textContent

test('a purpose sets the features, says what it lacks, and the tree names what is granted', () => {
  render(<Form />)
  expect(said()).toBe('')
  expect(screen.queryByText('Grants read')).toBeNull()
  press(/^Inventory/)
  expect(held.toSorted()).toEqual(['devices', 'exports', 'organization_network'])
  expect(said()).toContain('Permissions are set below.')
  expect(said()).toContain('because you do not have it: Clients.')
  const granted = screen.getByText('Grants read').parentElement
  expect(granted?.textContent).toBe('Grants readDevices and groups, Export lists to files, Networks')
  set('Devices and groups', 'Edit')
  expect(screen.getByText('Grants edit').parentElement?.textContent).toBe('Grants editDevices and groups')
})

test('one of which nothing can be granted says so and cannot be chosen', () => {
  render(<Form />)
  const backup = screen.getByRole<HTMLButtonElement>('button', { name: /^Backup script/ })
  expect([backup.disabled, backup.textContent]).toEqual([true, `Backup script${roles.notYours}`])
})

test('what was chosen before is said to be replaced and comes back; what is chosen after stays', () => {
  render(<Form />)
  set('Alerts', 'Read')
  press(/^Voucher sales/)
  expect(held.toSorted()).toEqual(['organization_network', 'vouchers', 'vouchers_edit'])
  expect(said()).toContain('They replace what you had chosen')
  set('Export lists to files', 'Read')
  press('Undo')
  expect(held.toSorted()).toEqual(['alerts', 'exports'])
  expect(said()).toBe('')
  // The button that had the focus is gone.
  expect(document.activeElement?.textContent).toContain('Voucher sales')
})

test('another purpose takes the place of the first; once all of it is changed by hand none is chosen', () => {
  render(<Form />)
  const isOn = (name: RegExp) => screen.getByRole('button', { name }).getAttribute('aria-pressed')
  press(/^Inventory/)
  press(/^Voucher sales/)
  expect([isOn(/^Inventory/), isOn(/^Voucher sales/)]).toEqual(['false', 'true'])
  expect(held.toSorted()).toEqual(['organization_network', 'vouchers', 'vouchers_edit'])
  set('All features', 'None')
  expect([isOn(/^Voucher sales/), said()]).toEqual(['false', ''])
})

/** @jest-environment jsdom */
import { render } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import type { FrontPort } from '@/app/(console)/network/[networkId]/devices/detail/_parts/panel-ports'
import { Poe } from '@/app/(console)/network/[networkId]/devices/detail/_parts/port-facts'
import devices from '@/locales/en/devices.json'

const shown = (poe: object): string | null =>
  render(
    <NextIntlClientProvider locale="en" messages={{ devices }}>
      <Poe port={{ port: { poe } } as FrontPort} />
    </NextIntlClientProvider>,
  ).container.textContent

test.each([
  [0, 15],
  [1, 4],
  [2, 7],
  [3, 15],
  [4, 30],
])('a port that feeds a device of class %i says that it may draw up to %i W', (poeClass, watts) => {
  expect(shown({ state: 'delivering', class: poeClass })).toContain(`class ${poeClass} (up to ${watts} W)`)
})

test('a class that the list does not hold is told by its number alone', () => {
  expect(shown({ state: 'delivering', class: 6 })).toMatch(/class 6$/)
})

test.each([
  [{ state: 'delivering' }, 'Supplying power'],
  [{ state: 'searching' }, 'No power (no device found)'],
  [{ state: 'disabled' }, 'No power (switched off)'],
  [{ enabled: false }, 'No power (switched off)'],
  [{ state: 'overload' }, 'Port overload'],
  [{ state: 'throttled24v' }, '24 V throttling'],
  [{ state: 'throttled' }, 'PSE throttling'],
  [{ state: 'errdisable' }, 'Errdisable'],
  [{ enabled: true }, 'State not reported'],
])('power %j is called %s', (poe, words) => {
  expect(shown(poe)).toBe(words)
})

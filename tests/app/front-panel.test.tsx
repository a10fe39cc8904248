/** @jest-environment jsdom */
import { act, fireEvent, render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { portRows } from '@/app/_ui/port-rows'
import { FrontPanel, type PanelPort } from '@/app/(console)/network/[networkId]/devices/detail/_parts/front-panel'
import common from '@/locales/en/common.json'

const port = (number: number, more: Partial<PanelPort> = {}): PanelPort => ({
  key: `if${number}`,
  number,
  label: `ge${number}`,
  look: 'full',
  word: '1 Gbps',
  ...more,
})
const draw = (ports: PanelPort[], onOpen?: (port: PanelPort) => void) =>
  render(
    <NextIntlClientProvider locale="en" messages={{ common }}>
      <FrontPanel name="sw1" ports={ports} card={one => `card of ${one.label}`} onOpen={onOpen} />
    </NextIntlClientProvider>,
  )

test('a switch has odd ports above even ones, a small device one row', () => {
  const numbers = (count: number) =>
    portRows(Array.from({ length: count }, (_, at) => port(at + 1))).map(row => row.map(one => one.number))
  expect(numbers(5)).toEqual([[1, 2, 3, 4, 5]])
  expect(numbers(12)).toEqual([
    [1, 3, 5, 7, 9, 11],
    [2, 4, 6, 8, 10, 12],
  ])
})

test('each port says its number, link and power, and opens its card by keyboard', () => {
  const opened: string[] = []
  draw([port(1, { poe: 'on' }), port(2, { look: 'none', word: 'No link' }), port(3, { fibre: true })], one =>
    opened.push(one.key),
  )
  const first = screen.getByRole('button', { name: 'Port 1, 1 Gbps, PoE delivers' })
  act(() => first.focus())
  expect(screen.getByText('card of ge1')).toBeTruthy()
  fireEvent.keyDown(first, { key: 'ArrowRight' })
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Port 2, No link')
  expect(screen.queryByText('card of ge1')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Port 3, 1 Gbps' }))
  expect(opened).toEqual(['if3'])
})

test('the legend names only what is on the panel', () => {
  draw([port(1), port(2, { look: 'errors' })])
  expect(screen.getByText('1 Gbps or more')).toBeTruthy()
  expect(screen.getByText('Errors')).toBeTruthy()
  expect(screen.queryByText('No link')).toBeNull()
})

/** @jest-environment jsdom */
import { act, fireEvent, render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { SearchList } from '@/app/_ui/listbox'
import common from '@/locales/en/common.json'

// A long list of choices: drawn page by page as its end comes in sight.

let seen: (() => void) | undefined
beforeEach(() => {
  // jsdom lays nothing out, so nothing comes in sight by itself.
  window.IntersectionObserver = class {
    constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
      seen = () => told([{ isIntersecting: true }])
    }
    observe() {}
    disconnect() {}
  } as never
  window.HTMLElement.prototype.scrollIntoView = () => undefined
})

const options = Array.from({ length: 120 }, (_, at) => ({ value: `${at}`, label: `device ${at}` }))
const chosen: string[] = []
const draw = () =>
  render(
    <NextIntlClientProvider locale="en" messages={{ common }}>
      <SearchList label="Devices" options={options} chosen={[]} onChoose={value => chosen.push(value)} />
    </NextIntlClientProvider>,
  )
const count = () => screen.getAllByRole('option').length

test('the first page is drawn, then another each time the end comes in sight, up to all of them', () => {
  draw()
  expect(count()).toBe(50)
  expect(screen.getAllByRole('option')[0]?.getAttribute('aria-setsize')).toBe('120')
  act(() => seen?.())
  expect(count()).toBe(100)
  act(() => seen?.())
  expect(count()).toBe(120)
})

test('arrow keys reach what is not drawn yet; a search begins at its first page', () => {
  draw()
  const box = screen.getByRole('combobox')
  for (let at = 0; at < 110; at++) fireEvent.keyDown(box, { key: 'ArrowDown' })
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(chosen).toEqual(['110'])
  fireEvent.change(box, { target: { value: 'device' } })
  expect(count()).toBe(50)
})

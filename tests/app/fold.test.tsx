/** @jest-environment jsdom */
import { act, render } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { Fold } from '@/app/_form/fold'
import form from '@/locales/en/form.json'

const drawn = (differs: string[], wrong = false) => (
  <NextIntlClientProvider locale="en" messages={{ form }}>
    <Fold id="limits" title="Limits" differs={differs} wrong={wrong}>
      <input aria-label="Maximum" />
    </Fold>
  </NextIntlClientProvider>
)
const details = (container: HTMLElement) => container.querySelector('details') as HTMLDetailsElement

test('a section of defaults is closed and says so', () => {
  const { container } = render(drawn([]))
  expect(details(container).open).toBe(false)
  expect(container.querySelector('summary')?.textContent).toBe('LimitsDefaults')
})

test('one with something changed is open, and says how much; closed by hand, it names it', () => {
  const { container } = render(drawn(['Maximum', 'Minimum']))
  expect(details(container).open).toBe(true)
  expect(container.querySelector('summary')?.textContent).toBe('Limits2 changed')
  act(() => {
    details(container).open = false
    details(container).dispatchEvent(new Event('toggle'))
  })
  expect(details(container).open).toBe(false)
  expect(container.querySelector('summary')?.textContent).toBe('LimitsMaximum, Minimum2 changed')
})

test('something that becomes wrong, or is changed from outside, opens it', () => {
  const { container, rerender } = render(drawn([]))
  rerender(drawn([], true))
  expect(details(container).open).toBe(true)
  act(() => {
    details(container).open = false
    details(container).dispatchEvent(new Event('toggle'))
  })
  expect(details(container).open).toBe(true)
  rerender(drawn([]))
  rerender(drawn(['Maximum']))
  expect(details(container).open).toBe(true)
  // Cleared to type another value: it stays open under the hands.
  rerender(drawn([]))
  expect(details(container).open).toBe(true)
})

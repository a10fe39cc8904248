/** @jest-environment jsdom */
import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { ChoiceCards } from '@/app/_ui/check'

const options = [
  { value: 'in', label: 'Received' },
  { value: 'none', label: 'None', disabled: true },
  { value: 'out', label: 'Sent' },
  { value: 'both', label: 'Both' },
]

function Form({ onChange }: { onChange(value: string): void }) {
  const [value, setValue] = useState('in')
  const put = (next: string) => {
    setValue(next)
    onChange(next)
  }
  return <ChoiceCards label="Traffic" options={options} value={value} onChange={put} />
}

/** A key that is up again before anything else happens. */
function tap(key: string) {
  const at = document.activeElement as Element
  fireEvent.keyDown(at, { key })
  fireEvent.keyUp(at, { key })
}

test.each([
  [['ArrowDown'], 'Sent'],
  [['ArrowRight'], 'Sent'],
  [['ArrowDown', 'ArrowDown'], 'Both'],
  [['ArrowUp'], 'Both'],
  [['ArrowLeft', 'ArrowLeft'], 'Sent'],
  [['ArrowDown', 'ArrowDown', 'ArrowDown'], 'Received'],
])('%j, each a quick tap, leaves “%s” chosen and in focus', (keys, label) => {
  const chosen: string[] = []
  const { unmount } = render(<Form onChange={value => chosen.push(value)} />)
  act(() => screen.getByRole('radio', { name: 'Received' }).focus())
  for (const key of keys) tap(key)
  const radio = screen.getByRole('radio', { name: label })
  expect(radio.getAttribute('aria-checked')).toBe('true')
  expect(document.activeElement).toBe(radio)
  expect(chosen).toHaveLength(keys.length)
  unmount()
})

/** @jest-environment jsdom */
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { Together, useTogether } from '@/app/(console)/network/[networkId]/settings/review/_parts/together'
import change from '@/locales/en/change.json'
import { inNetwork } from './_in-network'

/** So many devices chosen, changed by the buttons; what the push is then told. */
function Chosen() {
  const [count, setCount] = useState(1)
  const together = useTogether(count)
  return (
    <>
      {[1, 2, 20, 21].map(n => (
        <button key={n} type="button" onClick={() => setCount(n)}>{`choose ${n}`}</button>
      ))}
      <Together count={count} together={together} />
      <output>{together.tooMany ? 'too many' : together.on ? 'together' : 'one after the other'}</output>
    </>
  )
}
const choose = (n: number) => fireEvent.click(screen.getByText(`choose ${n}`))
const told = () => screen.getByRole('status').textContent

test('all or none is asked where several devices are chosen, and says what it costs', () => {
  inNetwork(<Chosen />, { change })
  expect(screen.queryByRole('switch')).toBeNull()
  choose(2)
  expect(told()).toBe('one after the other')
  fireEvent.click(screen.getByRole('switch', { name: 'All or none' }))
  expect(told()).toBe('together')
  expect(
    screen.getByText(/only after all 2 devices are verified\. If one fails or refuses a part, all revert/),
  ).toBeTruthy()
  choose(20)
  expect(told()).toBe('together')
  choose(21)
  expect(told()).toBe('too many')
  expect(screen.getByText('At most 20 devices can change together. Clear some of them, or turn this off.')).toBeTruthy()
  fireEvent.click(screen.getByRole('switch'))
  choose(2)
  fireEvent.click(screen.getByRole('switch'))
  choose(1)
  expect([told(), screen.queryByRole('switch')]).toEqual(['one after the other', null])
})

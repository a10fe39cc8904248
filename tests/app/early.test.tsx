/** @jest-environment jsdom */
// What somebody types into a page that the server drew, before the page has come to life.
import { act, render } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { hydrateRoot } from 'react-dom/client'
import { TextArea, TextField } from '@/app/_ui/field'
import { HoldForms } from '@/app/early-submit'
import common from '@/locales/en/common.json'

const taken = jest.fn()
const sent = jest.fn()
const Page = () => (
  <NextIntlClientProvider locale="en" messages={{ common }}>
    <form
      onSubmit={event => {
        event.preventDefault()
        sent(taken.mock.calls.flat())
      }}
    >
      <TextField id="name" label="Name" value="" onChange={taken} />
      <button type="submit">Search</button>
    </form>
  </NextIntlClientProvider>
)
/** As the server draws it: jsdom has nothing to draw a page as text. */
const drawn =
  '<form><div class="field"><div class="label"><label for="name">Name</label></div><input class="input" id="name" value=""/></div><button type="submit">Search</button></form>'

beforeAll(() => new Function(HoldForms({ nonce: '' }).props.dangerouslySetInnerHTML.__html)())
beforeEach(() => {
  taken.mockClear()
  sent.mockClear()
})

test('typed and sent too early: taken over once, then sent once', async () => {
  const place = document.createElement('div')
  place.innerHTML = drawn
  document.body.append(place)
  const input = place.querySelector('input') as HTMLInputElement
  input.value = 'berth'
  const early = new SubmitEvent('submit', { bubbles: true, cancelable: true })
  place.querySelector('form')?.dispatchEvent(early)
  expect(early.defaultPrevented).toBe(true)
  expect(sent).not.toHaveBeenCalled()
  await act(async () => void hydrateRoot(place, <Page />))
  await act(() => new Promise(done => setTimeout(done, 10)))
  expect(taken.mock.calls).toEqual([['berth']])
  expect(sent.mock.calls).toEqual([[['berth']]])
})

test('what is drawn here is no news, whatever its line ends', () => {
  const key = '-----BEGIN\r\nabc\r\n'
  render(
    <NextIntlClientProvider locale="en" messages={{ common }}>
      <TextArea label="Key" value={key} onChange={taken} />
      <TextField label="Name" value={key} onChange={taken} />
    </NextIntlClientProvider>,
  )
  expect(taken).not.toHaveBeenCalled()
})

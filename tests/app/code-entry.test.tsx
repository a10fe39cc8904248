/** @jest-environment jsdom */
import { act, render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { CodeEntry } from '@/app/(sign-in)/login/_parts/code-entry'
import common from '@/locales/en/common.json'
import signIn from '@/locales/en/signIn.json'

// A code read out, in browsers that play sound at once, on a press alone, or not at all. jsdom has no sound of its own.

const nothing = () => undefined
const code = { codeToken: 't', audio: 'UklGRg==' }

/** `answers`: of each try to play, the name of the browser's refusal, or none. */
async function heard(...answers: (string | undefined)[]): Promise<void> {
  window.HTMLMediaElement.prototype.play = () => {
    const refusal = answers.shift()
    return refusal ? Promise.reject(new DOMException('', refusal)) : Promise.resolve()
  }
  await act(async () => {
    render(
      <NextIntlClientProvider locale="en" messages={{ common, signIn }}>
        <CodeEntry code={code} typed="" onTyped={nothing} error={undefined} onPicture={nothing} onSpoken={nothing} />
      </NextIntlClientProvider>,
    )
  })
}
const said = () => screen.getByRole('status').textContent
const press = (name: string) => act(async () => screen.getByRole('button', { name }).click())

test('played at once, nothing is said', async () => {
  await heard(undefined)
  expect(said()).toBe('')
  screen.getByRole('button', { name: 'Play again' })
})

test('a browser that plays nothing unasked says which button does', async () => {
  await heard('NotAllowedError', undefined)
  expect(said()).toBe('Press Play to hear the code.')
  await press('Play')
  expect(said()).toBe('')
})

test('a browser without sound says so, and what else there is; two presses in a row are no refusal', async () => {
  await heard(undefined, 'NotSupportedError', 'AbortError')
  await press('Play again')
  expect(said()).toContain('Use the picture')
  await heard(undefined, 'AbortError')
})

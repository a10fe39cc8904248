/** @jest-environment jsdom */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Toaster } from '@/app/_ui/toast'
import common from '@/locales/en/common.json'
import errors from '@/locales/en/errors.json'

const sent: unknown[] = []
let answer: { retCode: number; data: object }
globalThis.fetch = ((address: string, { body }: { body: string }) => {
  sent.push([address, JSON.parse(body)])
  return Promise.resolve({ status: 200, headers: new Headers(), json: () => Promise.resolve(answer) })
}) as unknown as typeof fetch

function ask(): { closed: boolean[] } {
  const closed: boolean[] = []
  sent.length = 0
  render(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={{ common, errors }}>
      <Toaster />
      <ActDialog
        call="alerts/delete"
        input={{ ids: [3] }}
        done={({ deleted }) => `${deleted} deleted`}
        title="Delete?"
        action="Delete"
        onClose={done => closed.push(done)}
      >
        {wrong => <p>{wrong.ids}</p>}
      </ActDialog>
    </NextIntlClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  return { closed }
}

test('makes its one call, says what it did and closes', async () => {
  answer = { retCode: 0, data: { deleted: 1 } }
  const { closed } = ask()
  await waitFor(() => expect(closed).toEqual([true]))
  expect(sent).toEqual([['/app/alerts/delete', { ids: [3] }]])
  expect(screen.getByText('1 deleted').isConnected).toBe(true)
})

test('a refusal stands at its field, and the question stays', async () => {
  answer = { retCode: 10000, data: { fields: { ids: 'required' } } }
  const { closed } = ask()
  await screen.findByText(errors.required)
  expect(closed).toEqual([])
})

/** @jest-environment jsdom */
// Rule A8: an email address is judged by the manager, too, once its field is left.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { useState } from 'react'
import { EmailField } from '@/app/(console)/organization/users/_parts/email-field'
import common from '@/locales/en/common.json'
import errors from '@/locales/en/errors.json'
import users from '@/locales/en/users.json'
import { codes } from '@/model/codes'

const sent: [string, object][] = []
let answer: { retCode: number; data: object }
globalThis.fetch = ((address: string, { body }: { body: string }) => {
  sent.push([address, JSON.parse(body)])
  return Promise.resolve({ status: 200, headers: new Headers(), json: () => Promise.resolve(answer) })
}) as unknown as typeof fetch

function Form({ user }: { user?: number }) {
  const [email, setEmail] = useState('')
  return <EmailField user={user} value={email} error={undefined} onChange={setEmail} />
}
const field = () => screen.getByLabelText(/^Email/)
const type = (value: string) => fireEvent.change(field(), { target: { value } })
const leave = () => act(async () => void fireEvent.blur(field()))

beforeEach(() => {
  sent.length = 0
})
const show = (user?: number) =>
  render(
    <NextIntlClientProvider locale="en" messages={{ common, errors, users }}>
      <Form {...(user !== undefined && { user })} />
    </NextIntlClientProvider>,
  )

test('A8: an address that is somebody else’s is told at the field, until it is changed', async () => {
  answer = { retCode: codes.emailInvalid, data: { fields: { email: 'emailTaken' } } }
  show(7)
  type('ann@example.net')
  await leave()
  expect(sent).toEqual([['/app/email/check', { email: 'ann@example.net', id: 7 }]])
  expect(screen.getByRole('alert').textContent).toBe(errors.emailTaken)
  type('ann@example.org')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('A8: one that is right says nothing, and none at all is not asked about', async () => {
  answer = { retCode: 0, data: { email: 'ben@example.net' } }
  show()
  await leave()
  expect(sent).toEqual([])
  type('ben@example.net')
  await leave()
  expect(sent).toEqual([['/app/email/check', { email: 'ben@example.net' }]])
  expect(screen.queryByRole('alert')).toBeNull()
})

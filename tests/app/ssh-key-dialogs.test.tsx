/** @jest-environment jsdom */
// The dialog that makes an SSH key: what is missing stands at its field, then the half that devices need is shown.
import { act, fireEvent, render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { NewSshKey } from '@/app/(console)/network/[networkId]/devices/form/_parts/ssh-key-dialogs'
import adoption from '@/locales/en/adoption.json'
import common from '@/locales/en/common.json'
import errors from '@/locales/en/errors.json'
import { codes } from '@/model/codes'

const sent: [string, object][] = []
let answer: { retCode: number; data: object }
globalThis.fetch = ((address: string, { body }: { body: string }) => {
  sent.push([address, JSON.parse(body)])
  return Promise.resolve({ status: 200, headers: new Headers(), json: () => Promise.resolve(answer) })
}) as unknown as typeof fetch

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click())

test('a name is asked for; then the public half is there to be copied, and no private one', async () => {
  window.history.replaceState(null, '', '/network/4/devices/form')
  const words = { adoption, common, errors }
  render(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={words}>
      <NewSshKey onClose={() => undefined} />
    </NextIntlClientProvider>,
  )
  answer = { retCode: codes.invalidInput, data: { fields: { name: 'required' } } }
  await press('Make the key')
  expect(screen.getByRole('alert').textContent).toBe(errors.required)
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Pier' } })
  answer = { retCode: 0, data: { id: 9, publicKey: 'ssh-ed25519 AAAA lanward-Pier' } }
  await press('Make the key')
  expect(sent.at(-1)).toEqual(['/app/system-settings/ssh', { name: 'Pier', user: 'root', networkId: 4 }])
  expect((screen.getByLabelText('Public key') as HTMLInputElement).value).toBe('ssh-ed25519 AAAA lanward-Pier')
  expect(screen.getByText('Add this line to the SSH keys of root on each device')).toBeTruthy()
})

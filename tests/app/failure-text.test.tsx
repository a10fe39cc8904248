/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { ApiError } from '@/app/_api/client'
import { useFailureText } from '@/app/_api/words'
import codeWords from '@/locales/en/codes.json'
import common from '@/locales/en/common.json'
import { codes } from '@/model/codes'

const wrapper = ({ children }: { children: ReactNode }) => (
  <NextIntlClientProvider locale="en" timeZone="UTC" messages={{ common, codes: codeWords }}>
    {children}
  </NextIntlClientProvider>
)
const text = (error: ApiError) => renderHook(() => useFailureText(), { wrapper }).result.current(error)

test.each([
  ['forbidden', 'devices/info', 0],
  ['refused', 'devices/usage', codes.noAuthority],
  ['refused', 'devices/config/get', codes.notInShared],
] as const)('%s of %s is said of the device', (kind, path, code) => {
  expect(text(new ApiError(kind, path, code))).toBe('You do not have permission for this device.')
})

test.each([
  ['forbidden', 'users/list', 0, 'You do not have permission.'],
  ['refused', 'settings/lan/save', codes.noAuthority, 'You do not have permission.'],
  ['refused', 'devices/info', codes.deviceNotFound, 'This device no longer exists.'],
] as const)('%s of %s (%i) is said as ever', (kind, path, code, said) => {
  expect(text(new ApiError(kind, path, code))).toBe(said)
})

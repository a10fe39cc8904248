/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { type Alert, useAlertWords } from '@/app/(console)/network/[networkId]/alerts/_parts/alert-words'
import alertTypes from '@/locales/en/alertTypes.json'
import change from '@/locales/en/change.json'
import codes from '@/locales/en/codes.json'
import reasons from '@/locales/en/reasons.json'
import type { AlertType } from '@/model/notify/catalogue'
import { sentence } from '@/server/notify/alerts/sentence'

const wrong: string[] = []
const wrapper = ({ children }: { children: ReactNode }) => (
  <NextIntlClientProvider
    locale="en"
    timeZone="UTC"
    messages={{ alertTypes, change: { reasons: change.reasons, warnings: change.warnings }, codes, reasons }}
    onError={error => wrong.push(error.message)}
  >
    {children}
  </NextIntlClientProvider>
)
const words = renderHook(useAlertWords, { wrapper }).result.current
type Values = Record<string, string | number>
const shown = (type: AlertType, values: Values) => words({ type, values, device: null } as unknown as Alert)

const reverted = 'ap1 reverted to its former configuration'
const device = 'ap1'

test.each<[AlertType, Values, string]>([
  [
    'pushReverted',
    { reason: 'readBack', detail: 'uci:a' },
    `${reverted}. The device did not accept every setting: uci:a.`,
  ],
  [
    'pushReverted',
    { reason: 'commandFailed', detail: 'Job for lanward-vlans.service failed.' },
    `${reverted}. A command failed on the device: Job for lanward-vlans.service failed.`,
  ],
  [
    'pushReverted',
    { reason: 'tooLate', detail: '' },
    `${reverted}. Verification took too long to confirm the change in time.`,
  ],
  [
    'pushReverted',
    { reason: 'hostapdDown', detail: 'wlan0 DFS' },
    `${reverted}. A check on the device failed: wlan0 DFS.`,
  ],
  ['pushReverted', { reason: '', detail: '' }, reverted],
  ['pushFailed', { reason: 'timeout', detail: '' }, 'The configuration of ap1 could not be changed. No answer.'],
  [
    'backupFailed',
    { reason: 'backupStorageGone' },
    'The backup failed: The backup folder is missing, or its disk is not mounted.',
  ],
])('%s %o tells its cause, on the page and in a notice', (type, values, text) => {
  expect(shown(type, { device, ...values })).toBe(text)
  expect(sentence({ type, values: { device, ...values } })).toBe(text)
  expect(wrong).toEqual([])
})

test('a check’s values make its warning: what the device said stands in a sentence', () => {
  const values = { device, reason: 'hostapdDown', detail: 'wlan0 DFS', radio: 'wlan0', state: 'DFS', aboutKind: 'ssid' }
  expect(shown('pushReverted', values)).toMatch(
    /^ap1 reverted to its former configuration\. wlan0 does not broadcast .* reports DFS\.$/,
  )
  expect(wrong).toEqual([])
})

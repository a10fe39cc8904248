/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react'
import { type AbstractIntlMessages, NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { useAdvice } from '@/app/_api/use-warning'
import { useTodo } from '@/app/_api/use-why'
import { type Reach, ReachLine, ReachNote } from '@/app/_shared/left-out'
import { type Alert, useAlertTodo } from '@/app/(console)/network/[networkId]/alerts/_parts/alert-words'
import change from '@/locales/en/change.json'
import reasons from '@/locales/en/reasons.json'
import { inNetwork } from './_in-network'

const wrong: string[] = []
const messages = { change, reasons } as unknown as AbstractIntlMessages
const wrapper = ({ children }: { children: ReactNode }) => (
  <NextIntlClientProvider locale="en" timeZone="UTC" messages={messages} onError={error => wrong.push(error.message)}>
    {children}
  </NextIntlClientProvider>
)
const of = <T,>(hook: () => T): T => renderHook(hook, { wrapper }).result.current
afterEach(() => expect(wrong).toEqual([]))

type Words = { [key: string]: string | Words }
const flat = (words: Words, before = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, one]) =>
    typeof one === 'string' ? [[before + key, one] as [string, string]] : flat(one, `${before}${key}.`),
  )
const named = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name)
const warnings = flat(change.warnings)

test.each(flat(change.advice))(
  'what to do about %s is about a warning that there is, and by its values',
  (code, text) => {
    const about = warnings.filter(([key]) => key === code || key.startsWith(`${code}.`))
    expect(about).not.toEqual([])
    for (const [, words] of about) expect(named(words)).toEqual(expect.arrayContaining(named(text)))
  },
)

test('a warning leads to what to do; one for a whole group stands for each of it', () => {
  const advice = of(useAdvice)
  expect(advice({ code: 'vlanMissing', values: { vlan: 20 } })).toMatch(/^Carry VLAN 20 on the device’s uplink/)
  expect(advice({ code: 'portCannot.speed' })).toBe(change.advice.portCannot)
  expect(advice({ code: 'needs.root' })).toBe(change.advice.needs.root)
  expect(advice({ code: 'needs.hostapd' })).toBe('')
  // Kept before its values were.
  expect(advice({ code: 'vlanMissing', values: {} })).toBe('')
})

test('what stopped a push leads to what to do, a plan’s warning and a device’s reason alike', () => {
  const todo = of(useTodo)
  expect(todo('planBlocked', 'securityMissing', { ssid: 'x', radio: 'wlan0' })).toBe(change.advice.securityMissing)
  expect(todo('deviceFull')).toBe(reasons.deviceFull.advice)
  expect(todo('readBack', 'uci:a')).toBe('')
})

test('an alert of a device says what to do about its reason', () => {
  const todo = of(useAlertTodo)
  const device = { id: 1, name: 'ap1' }
  const alert = (reason: string, more: object = { device }) =>
    ({ values: { device: 'ap1', reason }, ...more }) as unknown as Alert
  expect(todo(alert('timeout'))).toBe(reasons.timeout.advice)
  expect(todo(alert('timeout', { device: null }))).toBe('')
  expect(todo(alert(''))).toBe('')
})

test('a list and a form say it with the reason why a setting is not everywhere', () => {
  const values = { ssid: 'Staff', radio: 'wlan0', vlan: 20 }
  const told = { code: 'vlanMissing' as const, effect: 'out' as const, values, count: 1 }
  const reach: Reach = {
    ...{ id: 's1', kind: 'ssid', name: 'Staff', given: true, of: 2, on: 1, partly: 0 },
    reasons: [{ ...told, devices: [{ id: 1, name: 'ap1' }] }],
  }
  expect(inNetwork(<ReachNote reach={reach} />, messages).textContent).toMatch(/VLAN 20 does not reach.*Carry VLAN 20/)
  const line = inNetwork(<ReachLine reach={reach} />, messages)
  expect(line.querySelector('.reach')?.getAttribute('title')).toMatch(/VLAN 20 does not reach.*Carry VLAN 20/)
})

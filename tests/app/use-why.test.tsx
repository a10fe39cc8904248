/** @jest-environment jsdom */
import { renderHook } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import type { ReactNode } from 'react'
import { useWhy } from '@/app/_api/use-why'
import change from '@/locales/en/change.json'
import reasons from '@/locales/en/reasons.json'

const said: string[] = []
const wrapper = ({ children }: { children: ReactNode }) => (
  <NextIntlClientProvider
    locale="en"
    timeZone="UTC"
    messages={{ change, reasons }}
    onError={error => said.push(error.message)}
  >
    {children}
  </NextIntlClientProvider>
)
const why = () => renderHook(useWhy, { wrapper }).result.current

test.each([
  [['hostapdDown', 'wlan0 DFS', { radio: 'wlan0', state: 'DFS' }], /^wlan0 does not broadcast .* reports DFS\.$/],
  // Kept before values were.
  [['hostapdDown', 'wlan0 DFS', {}], 'A check on the device failed: wlan0 DFS.'],
  [['portsDown', ''], 'The service that configures the device’s ports is not running or failed.'],
  [
    ['planBlocked', 'vlanMissing', { ssid: 'Café', radio: 'radio0', vlan: 20 }],
    /^Nothing was changed: “Café” .* VLAN 20/,
  ],
  [['planBlocked', 'vlanMissing', {}], 'A warning blocks this push.'],
  [
    ['rejected', 'snmp:p3 (commandFailed)', { 'snmp:p3': 'commandFailed' }],
    'The device refused snmp:p3 (A command failed on the device) and accepted the rest.',
  ],
  [['rejected', 'snmp:p3 (commandFailed)'], 'The device refused snmp:p3 (commandFailed) and accepted the rest.'],
  [['readBack', 'uci:a'], 'The device did not accept every setting: uci:a.'],
  [['togetherReverted', '', { culprit: 'ap1' }], 'Reverted together with ap1, which did not take it.'],
  [['timeout', ''], 'No answer.'],
  [
    ['commandFailed', 'Job for lanward-vlans.service failed.'],
    'A command failed on the device: Job for lanward-vlans.service failed.',
  ],
  [['', 'nothingToDo'], 'No change: the device already had it.'],
  [['', 'readBack'], ''],
] as [Parameters<ReturnType<typeof useWhy>>, string | RegExp][])('%j is said in words', (told, words) => {
  expect(why()(...told)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words))
  expect(said).toEqual([])
})

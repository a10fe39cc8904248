/** @jest-environment jsdom */
import { render } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { Block } from '@/app/(console)/network/[networkId]/settings/review/_parts/diff'
import change from '@/locales/en/change.json'
import type { BlockChange } from '@/server/devices/change/plan/diff'

const lines = [{ sign: '+' as const, text: 'x' }]
const said = (block: BlockChange & { name?: string }) =>
  render(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={{ change }}>
      <Block block={block} />
    </NextIntlClientProvider>,
  ).container.querySelector('b')?.textContent

test.each([
  ['add', 'file:/etc/lanward/vlans.sh', 'Also adds /etc/lanward/vlans.sh'],
  ['change', 'uci:network.lw_lan20', 'Also changes network.lw_lan20'],
  ['remove', 'uci:system.lw_led', 'Also removes system.lw_led (no longer needed)'],
] as const)('%s: what belongs to no one setting is told by the device’s name for it', (action, id, words) =>
  expect(said({ id, action, lines })).toBe(words),
)

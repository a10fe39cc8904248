/** @jest-environment jsdom */
import { render, screen } from '@testing-library/react'
import { NextIntlClientProvider } from 'next-intl'
import { PlanBlocks } from '@/app/(console)/network/[networkId]/settings/review/_parts/plan'
import change from '@/locales/en/change.json'
import type { BlockChange } from '@/server/devices/change/plan/diff'

const kinds = { portForward: 'Port forward', ssid: 'Wi-Fi network' }
const lines = (count: number): BlockChange['lines'] =>
  Array.from({ length: count }, (_, at) => ({ sign: '+', text: `line ${at}` }))
const block = (id: string, more: Partial<BlockChange> & { name?: string }, count = 1) => ({
  ...{ id, action: 'add' as const, lines: lines(count) },
  ...more,
})
const show = (blocks: Parameters<typeof PlanBlocks>[0]['blocks']) =>
  render(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={{ change, kinds } as never}>
      <PlanBlocks blocks={blocks} />
    </NextIntlClientProvider>,
  )
const texts = (selector: string) => [...document.querySelectorAll(selector)].map(one => one.textContent)

test('a setting of three files is said once, its short file shown, the others folded', () => {
  const nas = { kind: 'portForward', document: 'd1', name: 'NAS' }
  show([block('file:/a', nas), block('file:/b', nas, 400), block('file:/c', nas), block('file:/unit', {})])
  expect(texts('.diff-sentence b')).toEqual(['Adds: Port forward “NAS”'])
  expect(texts('summary')).toEqual(['2 more files', '1 supporting file'])
  expect(screen.getAllByRole('group').every(one => !(one as HTMLDetailsElement).open)).toBe(true)
})

test('a long file is folded, too; what changes in part is changed; a file that several share is said by its kind', () => {
  const home = { kind: 'ssid', document: 'd2', name: 'Home' }
  show([
    block('file:/a', home, 400),
    block('file:/b', { ...home, action: 'remove' }),
    block('file:/radio', { kind: 'ssid', action: 'change' }),
  ])
  expect(texts('.diff-sentence b')).toEqual(['Changes Wi-Fi network “Home”', 'Changes Wi-Fi network'])
  expect(texts('summary')).toEqual(['2 files'])
})

import { readdirSync, readFileSync } from 'node:fs'

// What somebody types on a page of the console is not lost by a link, a key, the browser's Back or a closed tab: each form
// of a page has the guard. Fields in dialogs have it by `ConfirmDialog`.

/** Forms in which nothing is written that would be kept. */
const asksOnly: Readonly<Record<string, string>> = {
  'network/[networkId]/insight/troubleshooting/_parts/tool-form.tsx': 'starts a diagnosis',
  'network/[networkId]/dashboard/_parts/speed-test-form.tsx': 'starts a speed test',
  'network/[networkId]/devices/form/_parts/scan.tsx': 'starts a search',
  'organization/manager/_parts/whitelist-check.tsx': 'asks about an address',
  'organization/network/_parts/tags-dialog.tsx': 'adds one name in a dialog, at once',
}

const pages = 'app/(console)'
const textOf = (file: string) => readFileSync(`${pages}/${file}`, 'utf8')
const withForm = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter(
  file => file.endsWith('.tsx') && /<form\b/.test(textOf(file)),
)

test('the forms of pages are found', () => {
  expect(withForm.length).toBeGreaterThan(12)
  expect(Object.keys(asksOnly).filter(file => !withForm.includes(file))).toEqual([])
})

test.each(withForm.filter(file => !(file in asksOnly)))('%s is not left unasked when it is changed', file => {
  expect(textOf(file)).toContain('<LeaveGuard ')
})

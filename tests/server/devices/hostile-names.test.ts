// Hostile names where no browser guards: tables for spreadsheets, letters, lines of logs, names of files.
import words from '@/locales/en/mail.json'
import { csvFile, csvText, parseCsv } from '@/server/kernel/csv'
import { asEntry } from '@/server/kernel/log-lines'
import { type MailTemplate, render } from '@/server/mail/render'
import { archiveName } from '@/server/manager/backups/store'
import { entryLine } from '@/server/manager/changelog/syslog-line'
import { hostileNames, hostileTexts } from '../../_xss'

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u

test.each(hostileTexts)('no spreadsheet runs %j, in whatever column it stands', text => {
  const [row] = parseCsv(csvText([[text, 'x', text]]))
  expect(row?.cells).toHaveLength(3)
  for (const cell of row?.cells ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/)
})

test('a table for download is never shown, kept or taken for something else', () => {
  const { headers } = csvFile('users', [], Date.UTC(2026, 0, 2))
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="users-2026-01-02.csv"')
  expect(headers.get('cache-control')).toBe('no-store')
})

const tags = (html: string) => html.match(/<[^>]*>/g)?.map(tag => tag.replace(/ href="https:[^"]*"/, ' href'))

test.each(Object.keys(words).filter(key => key !== 'frame') as MailTemplate[])(
  'the letter %s has no markup, header or line of anybody but its author',
  async template => {
    const names = ['manager', 'account', 'accounts', 'address', 'code', 'days', 'minutes']
    const valuesOf = (name: string) => ({
      ...Object.fromEntries(names.map(key => [key, name])),
      link: 'https://manager.local/login/x#token',
    })
    const usual = await render(template, 'en', valuesOf('Harbour'))
    for (const name of hostileTexts) {
      const { subject, text, html } = await render(template, 'en', valuesOf(name))
      expect(tags(html)).toEqual(tags(usual.html))
      expect(subject).not.toMatch(control)
      expect(text.split('\n')).toHaveLength(usual.text.split('\n').length)
    }
  },
)

test.each(['javascript:hit=1', 'data:text/html,x', '" onclick="hit=1', 'https://x" onclick="hit=1'])(
  'a letter leads nowhere by %j',
  async link => {
    const { html } = await render('resetPassword', 'en', { account: 'a', minutes: 1, manager: 'm', link })
    expect(html).not.toMatch(/href="(?!https?:)|<[^>]*"\s*onclick=/)
  },
)

test.each(hostileTexts)('a log server gets one line of %j, with its fields as they are', text => {
  const line = entryLine({
    ...{ id: 1, at: 0, account: text, address: text, action: text, object: text, name: text, network: null },
    ...{ fields: JSON.stringify({ [text]: [text, text] }), document: null, kept: null, organization: 1, mac: 'x' },
  } as unknown as Parameters<typeof entryLine>[0])
  expect(line).not.toMatch(control)
  const [, element = ''] = /^<\d+>1 \S+ \S+ lanward \d+ change \[((?:[^\]\\]|\\.)*)\]/.exec(line) ?? []
  // Every quote of a value is escaped: what is between two real ones holds no other.
  expect(element.replace(/\\["\\\]]/g, '')).toMatch(/^lanward@32473( \w+="[^"\]]*")+$/)
})

test('the manager’s log keeps what is told in one call one entry', () => {
  for (const text of hostileTexts) {
    const entry = asEntry(`poll of device 3: ${text}\n`)
    expect(entry.split('\n').filter(line => /^\S/.test(line))).toHaveLength(1)
    expect(entry.replaceAll('\n', '').replaceAll('\t', '')).not.toMatch(control)
  }
})

test('a manager’s name leaves no path and no quote in the name of its backups', () => {
  for (const text of [...hostileTexts, ...hostileNames.map(name => `${name}/`)])
    expect(archiveName(text, 0)).toMatch(/^lanward-[a-z0-9-]{1,40}-19700101-000000\.tar\.gz$/)
})

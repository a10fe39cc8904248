// Files as Excel and its like save them, from their bytes to their cells.
import { fileText } from '@/app/_shared/file-text'
import { parseCsv } from '@/server/kernel/csv'

const text = 'address;name\r\n192.0.2.9;Büro Süd'
const utf16 = (of: string, mark = '\uFEFF') => Buffer.from(mark + of, 'utf16le')

test.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 and tabs', utf16(text.replaceAll(';', '\t'))],
  ['UTF-16, the greater byte first', utf16(text).swap16()],
  ['Windows-1252', Buffer.from(text, 'latin1')],
  ['a line sep=', Buffer.from(`sep=;\r\n${text}`)],
  ['CR alone', Buffer.from(text.replaceAll('\r\n', '\r'))],
])('%s: the same cells', async (_, bytes) => {
  const rows = parseCsv(await fileText(new Blob([new Uint8Array(bytes)])))
  expect(rows.map(one => one.cells)).toEqual([
    ['address', 'name'],
    ['192.0.2.9', 'Büro Süd'],
  ])
})

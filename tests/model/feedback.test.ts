// Rule P12: what may be attached to feedback, at its edges.
import { execFileSync } from 'node:child_process'
import {
  attachmentBytes,
  attachmentEndings,
  attachmentName,
  attachmentProblem,
  attachmentRefused,
  attachmentType,
} from '@/model/feedback'

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const zeros = (count: number) => new Array<number>(count).fill(0)
const zip = bytes('PK', [3, 4], zeros(22), 'mimetype')

const good: Record<string, Buffer> = {
  // What the system's own tar writes; the older kind of header has no name of the format in it.
  'one.tar': execFileSync('tar', ['cf', '-', 'package.json']),
  'old.tar': execFileSync('tar', ['--format=v7', '-cf', '-', 'package.json']),
  'a.zip': zip,
  'empty.zip': bytes('PK', [5, 6], zeros(18)),
  'a.rar': bytes('Rar!', [0x1a, 7, 1, 0]),
  'a.jpg': bytes([0xff, 0xd8, 0xff, 0xe0]),
  'a.JPEG': bytes([0xff, 0xd8, 0xff, 0xdb]),
  'a.png': bytes([0x89], 'PNG\r\n', [0x1a, 10]),
  'a.mp4': bytes([0, 0, 0, 24], 'ftypisom'),
  'a.avi': bytes('RIFF', [4, 0, 0, 0], 'AVI LIST'),
  'a.wav': bytes('RIFF', [4, 0, 0, 0], 'WAVEfmt '),
  'a.txt': Buffer.from('It rains. Wi‑Fi is down.\r\n\tÉtage 2, 三楼\u001b[0m'),
  'wide.txt': Buffer.from('\ufeffIt rains.', 'utf16le'),
  'a.doc': bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
  'a.docx': bytes('PK', [3, 4], zeros(22), 'word/document.xml'),
  'a.pdf': bytes('%PDF-1.7\n'),
  'late.pdf': bytes(zeros(1000), '%PDF-1.4'),
}

test('P12: every kind of file of the list, by its ending and its content', () => {
  expect(Object.entries(good).map(([name, data]) => [name, attachmentProblem(name, data)])).toEqual(
    Object.keys(good).map(name => [name, undefined]),
  )
  const endings = new Set(Object.keys(good).map(name => name.split('.').at(-1)?.toLowerCase()))
  expect([...endings].toSorted()).toEqual([...attachmentEndings].toSorted())
})

test('P12: a file of one kind is none of another, whatever it is called', () => {
  for (const [name, data] of Object.entries(good))
    for (const ending of attachmentEndings) {
      const own = attachmentType(name) === attachmentType(`x.${ending}`)
      // A Word file is a zip archive, too; a text may hold anything that reads as one.
      const also = (ending === 'zip' && name.endsWith('.docx')) || ending === 'txt'
      if (!own && !also)
        expect([name, ending, attachmentProblem(`x.${ending}`, data)]).toEqual([name, ending, 'attachmentContent'])
    }
  for (const name of ['one.tar', 'a.png', 'a.zip', 'a.doc', 'a.jpg'])
    expect(attachmentProblem('x.txt', good[name] as Buffer)).toBe('attachmentContent')
})

test.each([
  ['late by one byte', 'x.pdf', bytes(zeros(1020), '%PDF-')],
  ['a tar whose sum is wrong', 'x.tar', Buffer.concat([Buffer.from('other'), (good['one.tar'] as Buffer).subarray(5)])],
  ['half a tar header', 'x.tar', (good['one.tar'] as Buffer).subarray(0, 511)],
  ['text with a NUL', 'x.txt', bytes('a', [0], 'b')],
  ['text that is no UTF-8', 'x.txt', bytes('caf', [0xe9])],
  ['a program', 'x.txt', bytes([0x7f], 'ELF', [2, 1, 1, 0])],
])('P12: %s is refused', (_, name, data) => {
  expect(attachmentProblem(name, data)).toBe('attachmentContent')
})

test('P12: 5 MB is the most, nothing at all too little', () => {
  const text = Buffer.alloc(attachmentBytes, 'x')
  expect(attachmentProblem('x.txt', text)).toBeUndefined()
  expect(attachmentProblem('x.txt', Buffer.concat([text, Buffer.from('x')]))).toBe('attachmentTooLarge')
  expect(attachmentProblem('x.txt', Buffer.alloc(0))).toBe('attachmentEmpty')
  expect(attachmentRefused('x.txt', attachmentBytes + 1)).toBe('attachmentTooLarge')
})

test.each(['x.exe', 'x.html', 'x.svg', 'x.tar.gz', 'x', '.txt.', 'txt', 'x.txt.js', 'x.constructor'])(
  'P12: %s is no file of the list',
  name => {
    expect(attachmentRefused(attachmentName(name), 3)).toBe('attachmentType')
  },
)

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['C:\\Users\\ana\\plan 2.pdf', 'plan 2.pdf'],
  ['a\u202etxt.exe.png', 'atxt.exe.png'],
  ['a\r\nBcc: b@c.test.txt', 'aBcc_ b@c.test.txt'],
  ['a";filename=b.png', 'a__filename_b.png'],
  ['.hidden.txt', 'hidden.txt'],
  ['Étage 2.PNG', 'Étage 2.png'],
  ['   .png', 'png'],
  [`${'x'.repeat(300)}.zip`, `${'x'.repeat(100)}.zip`],
  ['a. . .zip', 'a.zip'],
])('the name %j becomes %j', (name, wanted) => {
  expect(attachmentName(name)).toBe(wanted)
})

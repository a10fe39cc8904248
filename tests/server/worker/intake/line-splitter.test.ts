import { lineSplitter } from '@/server/worker/intake/line-splitter'

/** Each line and how many bytes of it were lost, whatever the pieces are in which it came. */
function split(stream: string, pieces: number, most = 65_536): [string, number][] {
  const found: [string, number][] = []
  const splitter = lineSplitter((line, lost) => found.push([line.toString(), lost]), most)
  const bytes = Buffer.from(stream)
  for (let at = 0; at < bytes.length; at += pieces) splitter.push(bytes.subarray(at, at + pieces))
  splitter.end()
  return found
}
const sizes = [1, 2, 3, 7, 1000]

test.each(sizes)('RFC 6587: lines by their length and up to a line feed, in pieces of %d bytes', size => {
  expect(split('10 <13>a: hé10 <13>b: two\n<13>c: to the end\n\n<13>last', size)).toEqual([
    ['<13>a: hé', 0],
    ['<13>b: two', 0],
    ['<13>c: to the end', 0],
    ['<13>last', 0],
  ])
})

test.each(sizes)('a line that begins with digits is no length, in pieces of %d bytes', size => {
  expect(split('123 hello\n1234567890 <x\n', size).map(([line]) => line)).toEqual(['123 hello', '1234567890 <x'])
})

test.each(sizes)('what is longer than may be is cut, and the next line is whole, in pieces of %d bytes', size => {
  const long = `<13>${'x'.repeat(60)}`
  expect(split(`${long}\n<13>next\n64 ${long}8 <13>last`, size, 20)).toEqual([
    [long.slice(0, 20), 44],
    ['<13>next', 0],
    [long.slice(0, 20), 44],
    ['<13>last', 0],
  ])
})

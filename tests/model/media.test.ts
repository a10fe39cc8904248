// Rule G18: what a house puts on its portal's page is judged by what is in the file.
import { deflateSync } from 'node:zlib'
import { judgeMedia, mediaSorts } from '@/model/guests/media'
import { check } from '@/model/kind'
import { splash } from '@/model/profiles/splash'

const number = (value: number, bytes = 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const png = (width = 2, height = 1) => {
  const head = Buffer.concat([number(width), number(height), Buffer.from([8, 2, 0, 0, 0])])
  const chunk = (type: string, data: Buffer) => Buffer.concat([number(data.length), Buffer.from(type), data, number(0)])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...[chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.alloc(7))), chunk('IEND', Buffer.alloc(0))],
  ])
}
const jpeg = (width = 2, height = 1) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8]),
    ...[number(height, 2), number(width, 2), Buffer.alloc(12)],
  ])
const bmp = (width = 2, height = 1) => {
  const bytes = Buffer.alloc(58)
  bytes.write('BM')
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  return bytes
}
const box = (type: string, ...parts: Buffer[]) => {
  const data = Buffer.concat(parts)
  return Buffer.concat([number(data.length + 8), Buffer.from(type), data])
}
const track = (handler: string, coding: string) =>
  box(
    'trak',
    box(
      'mdia',
      box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)),
      box('minf', box('stbl', box('stsd', number(0), number(1), box(coding, Buffer.alloc(70))))),
    ),
  )
const mp4 = (...tracks: Buffer[]) =>
  Buffer.concat([box('ftyp', Buffer.from('isomavc1')), box('mdat', Buffer.alloc(20)), box('moov', ...tracks)])
const padded = (bytes: Buffer, size: number) => Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length))])
/** With a box that nobody reads at its end. */
const filled = (bytes: Buffer, size: number) =>
  Buffer.concat([bytes, box('free', Buffer.alloc(size - bytes.length - 8))])
const megabyte = 1024 * 1024

test.each([
  ['a PNG', 'logo', png(), { type: 'image/png' }],
  ['a JPG', 'background', jpeg(), { type: 'image/jpeg' }],
  ['a BMP', 'adImage', bmp(), { type: 'image/bmp' }],
  ['a BMP from top to bottom', 'logo', bmp(2, -1), { type: 'image/bmp' }],
  ['nothing', 'logo', Buffer.alloc(0), { problem: 'mediaEmpty' }],
  ['a page that is called a picture', 'logo', Buffer.from('<svg onload="x">'), { problem: 'mediaPicture' }],
  ['a GIF', 'logo', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), { problem: 'mediaPicture' }],
  ['half a PNG', 'logo', png().subarray(0, 20), { problem: 'mediaPicture' }],
  ['a JPG without a frame', 'logo', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), { problem: 'mediaPicture' }],
  ['a PNG without a side', 'logo', png(0, 5), { problem: 'mediaPicture' }],
  ['a small file of a huge picture', 'logo', png(60_000, 60_000), { problem: 'mediaPixels' }],
  ['a logo of 1 MB', 'logo', padded(png(), megabyte), { type: 'image/png' }],
  ['a logo above 1 MB', 'logo', padded(png(), megabyte + 1), { problem: 'mediaTooLarge' }],
  ['a background of 3 MB', 'background', padded(jpeg(), 3 * megabyte), { type: 'image/jpeg' }],
  ['a background above 3 MB', 'background', padded(jpeg(), 3 * megabyte + 1), { problem: 'mediaTooLarge' }],
  ['an advertisement of 3 MB', 'adImage', padded(bmp(), 3 * megabyte), { type: 'image/bmp' }],
  ['an advertisement above 3 MB', 'adImage', padded(bmp(), 3 * megabyte + 1), { problem: 'mediaTooLarge' }],
  ['H.264', 'adVideo', mp4(track('vide', 'avc1'), track('soun', 'mp4a')), { type: 'video/mp4' }],
  ['H.264 with parameters in the stream', 'adVideo', mp4(track('vide', 'avc3')), { type: 'video/mp4' }],
  ['H.265', 'adVideo', mp4(track('vide', 'hvc1')), { problem: 'mediaVideo' }],
  ['H.264 beside AV1', 'adVideo', mp4(track('vide', 'avc1'), track('vide', 'av01')), { problem: 'mediaVideo' }],
  ['sound alone', 'adVideo', mp4(track('soun', 'mp4a')), { problem: 'mediaVideo' }],
  ['a picture as a video', 'adVideo', png(), { problem: 'mediaVideo' }],
  ['boxes whose lengths do not fit', 'adVideo', mp4(track('vide', 'avc1')).subarray(0, -9), { problem: 'mediaVideo' }],
  ['a video of 5 MB', 'adVideo', filled(mp4(track('vide', 'avc1')), 5 * megabyte), { type: 'video/mp4' }],
  ['a video above 5 MB', 'adVideo', padded(mp4(track('vide', 'avc1')), 5 * megabyte + 1), { problem: 'mediaTooLarge' }],
  ['a gzip', 'page', Buffer.from([0x1f, 0x8b, 8, 0]), { type: 'application/gzip' }],
  ['a page of 5 MB', 'page', padded(Buffer.from([0x1f, 0x8b, 8]), 5 * megabyte), { type: 'application/gzip' }],
  ['a page above 5 MB', 'page', padded(Buffer.from([0x1f, 0x8b, 8]), 5 * megabyte + 1), { problem: 'mediaTooLarge' }],
  ['a picture as a page', 'page', png(), { problem: 'mediaArchive' }],
  ['a zip as a page', 'page', Buffer.from('PK\u0003\u0004'), { problem: 'mediaArchive' }],
] as const)('G18: %s as %s', (_, sort, bytes, expected) => expect(judgeMedia(sort, bytes)).toEqual(expected))

test('G18: a file that ends anywhere is judged, and never an error', () => {
  const whole = [png(), jpeg(), bmp(), mp4(track('vide', 'avc1'))]
  for (const one of whole)
    for (let length = 0; length < one.length; length++)
      for (const sort of Object.keys(mediaSorts) as (keyof typeof mediaSorts)[])
        expect(judgeMedia(sort, one.subarray(0, length))).toBeDefined()
})

const id = '00000000-0000-4000-8000-000000000001'
const wrong = (value: object) => {
  const found = check(splash, { name: 's', ...value })
  return 'fields' in found ? found.fields : {}
}
test.each([
  [{ ads: 'images' }, { adImages: 'mediaMissing' }],
  [{ ads: 'video' }, { adVideo: 'mediaMissing' }],
  [{ ads: 'images', adImages: [id] }, {}],
  [{ ads: 'images', adImages: [id, id] }, { 'adImages.1': 'duplicate' }],
  [{ ads: 'video', adVideo: id }, {}],
  [{ adImages: [id] }, { adImages: 'notUsed' }],
])('G19: media content is required where advertisements are on: %j', (value, fields) =>
  expect(wrong(value)).toEqual(fields),
)
test.each([
  [0, 'tooSmall'],
  [1, undefined],
  [300, undefined],
  [301, 'tooLarge'],
  [1.5, 'wrongType'],
])('G7: a forced watch of %s s', (watchSeconds, problem) =>
  expect(wrong({ ads: 'video', adVideo: id, watchSeconds })).toEqual(problem ? { watchSeconds: problem } : {}),
)

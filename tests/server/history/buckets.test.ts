import { base, bucketAt, flush, guarded, newBuckets, slice } from '@/server/history/buckets'
import { decodeSums } from '@/server/history/sums'
import { device, memoryFile, row } from './_file'

const start = 1_800_000_000_000
const bucket = start / 1000
const next = start + base * 1000

function setUp(file = memoryFile()) {
  const troubles: string[] = []
  return { file, troubles, buckets: newBuckets(file, what => troubles.push(what), start) }
}
const pollsIn = (file: ReturnType<typeof memoryFile>, at: number, id: number) => {
  const data = file.get(0, at, device(id))
  return data && decodeSums(data)?.polls
}

test('within five minutes a device has one bucket; with the next the former is written', () => {
  const { file, buckets } = setUp()
  const first = bucketAt(buckets, device(1), start)
  expect(bucketAt(buckets, device(1), next - 1)).toBe(first)
  first.sums.polls = 5
  first.dirty = true
  expect(pollsIn(file, bucket, 1)).toBeUndefined()
  const second = bucketAt(buckets, device(1), next)
  expect(second).toMatchObject({ bucket: bucket + base, dirty: false })
  expect(pollsIn(file, bucket, 1)).toBe(5)
})

test('a bucket to which nothing was added is not written', () => {
  const { file, buckets } = setUp()
  bucketAt(buckets, device(1), start)
  flush(buckets)
  bucketAt(buckets, device(1), next)
  expect(file.idsIn(0, 'device', bucket)).toEqual([])
})

test('only the bucket in which the process started is taken up from the file', () => {
  const { file, buckets } = setUp()
  file.put(0, bucket, [[device(1), row({ polls: 3 })]])
  file.put(0, bucket + base, [[device(1), row({ polls: 4 })]])
  expect(bucketAt(buckets, device(1), start).sums.polls).toBe(3)
  expect(bucketAt(buckets, device(1), next).sums.polls).toBe(0)
})

test('a new bucket has room for the interfaces of the one before', () => {
  const { buckets } = setUp()
  bucketAt(buckets, device(1), start).sums.known = new Float32Array(24)
  expect(bucketAt(buckets, device(1), next).sums.known).toHaveLength(24)
})

test('a flush writes what was added since the last one, devices of two buckets too, in slices', () => {
  const { file, buckets } = setUp()
  for (let id = 1; id <= slice + 1; id++) bucketAt(buckets, device(id), start).dirty = true
  bucketAt(buckets, device(999), next).dirty = true
  const put = jest.spyOn(file, 'put')
  flush(buckets)
  expect(put.mock.calls.map(([, at, rows]) => [at, rows.length])).toEqual([
    [bucket, slice],
    [bucket, 1],
    [bucket + base, 1],
  ])
  flush(buckets)
  expect(put).toHaveBeenCalledTimes(3)
})

test('what could not be written is written with the next flush', () => {
  const { file, buckets, troubles } = setUp()
  bucketAt(buckets, device(1), start).dirty = true
  const put = jest.spyOn(file, 'put').mockImplementationOnce(() => {
    throw new Error('disk full')
  })
  flush(buckets)
  expect(troubles).toEqual(['historyNotWritten: disk full'])
  flush(buckets)
  expect(put).toHaveBeenCalledTimes(2)
  expect(file.idsIn(0, 'device', bucket)).toEqual([1])
})

test('a disk that stays full is told once, and again after it worked', () => {
  const { buckets, troubles } = setUp()
  const fail = () =>
    guarded(buckets, () => {
      throw new Error('disk full')
    })
  fail()
  fail()
  expect(troubles).toHaveLength(1)
  guarded(buckets, () => undefined)
  fail()
  expect(troubles).toHaveLength(2)
})

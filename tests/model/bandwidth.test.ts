import { check, type Data } from '@/model/kind'
import { bandwidthRule } from '@/model/traffic/bandwidth'

const client = { name: 'a', target: 'client', mac: '001a2b3c4d5e' }
const problems = (data: Data, others: Data[] = []) => {
  const checked = check(bandwidthRule, data, { others })
  return 'data' in checked ? {} : checked.fields
}

test.each([
  ['1 Kbps', undefined],
  ['999 Kbps', undefined],
  ['1 Mbps', undefined],
  ['999 Mbps', undefined],
  ['0 Mbps', 'rate'],
  ['1000 Mbps', 'rate'],
  ['1.5 Mbps', 'rate'],
  ['8', 'rate'],
  ['8 Gbps', 'rate'],
  [8, 'wrongType'],
])('G17: the rate %j gives %s', (rate, expected) => {
  expect(problems({ ...client, download: rate })).toEqual(expected ? { download: expected } : {})
  expect(problems({ ...client, upload: rate })).toEqual(expected ? { upload: expected } : {})
})

test('G17: at least one rate', () => {
  expect(problems(client)).toEqual({ download: 'rateRequired' })
})

test('G17: no second rule about the same', () => {
  const rates = { download: '8 Mbps' }
  const other = { ...client, ...rates, name: 'b', mac: '00:1a:2b:3c:4d:5e' }
  expect(problems({ ...client, ...rates }, [other])).toEqual({ mac: 'bandwidthExists' })
  expect(problems({ ...client, ...rates, mac: '001a2b3c4d5f' }, [other])).toEqual({})
  const address = { name: 'a', target: 'address', address: '10.0.0.7', ...rates }
  expect(problems(address, [{ ...address, name: 'b' }])).toEqual({ address: 'bandwidthExists' })
  expect(problems(address, [other])).toEqual({})
})

test('what it is about is named, and nothing else', () => {
  expect(problems({ name: 'a', target: 'client', download: '8 Mbps' })).toEqual({ mac: 'subjectRequired' })
  expect(problems({ ...client, download: '8 Mbps', address: '10.0.0.7' })).toEqual({ address: 'notUsed' })
  expect(problems({ name: 'a', target: 'lan', lan: 'x', download: '8 Mbps' })).toEqual({ lan: 'notFound' })
})

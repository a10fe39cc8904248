import { trafficLogs } from '@/model/insight/traffic-logs'
import { checkSingle, inheritedFrom, type Layer, valuesOf } from '@/model/single'

const judged = (own: Record<string, unknown>, layers: Layer[] = []) =>
  checkSingle(trafficLogs, own, valuesOf(inheritedFrom(trafficLogs, layers)))
const problems = (own: Record<string, unknown>, layers?: Layer[]) => {
  const checked = judged(own, layers)
  return 'data' in checked ? {} : checked.fields
}
const url = { urlLog: true, lawAccepted: true }

test('nothing is recorded unless somebody says so, and what came is kept for 7 days', () => {
  expect(problems({})).toEqual({})
  expect(valuesOf(inheritedFrom(trafficLogs, []))).toEqual({
    ...{ urlLog: false, natLog: false, lawAccepted: false },
    keepDays: '7',
  })
})

test.each(['urlLog', 'natLog'])('%s is turned on by who says that the law allows it, and says so itself', key => {
  expect(problems({ [key]: true })).toEqual({ lawAccepted: 'lawNotAccepted' })
  expect(problems({ [key]: true, lawAccepted: false })).toEqual({ lawAccepted: 'lawNotAccepted' })
  expect(problems({ [key]: true, lawAccepted: true })).toEqual({})
  const above: Layer = { data: { lawAccepted: true, urlLog: true }, from: { scope: 'network', id: 1, name: 'n' } }
  expect(problems({ [key]: true }, [above])).toEqual({})
  expect(problems({ [key]: true, lawAccepted: false }, [above])).toEqual({ lawAccepted: 'lawNotAccepted' })
})

test('off, nothing else is to be said', () => {
  for (const [key, value] of Object.entries({ lawAccepted: true, keepDays: '1', logServer: 'http://192.0.2.1/' }))
    expect(problems({ [key]: value })).toEqual({ [key]: 'notUsed' })
})

test.each([
  ['1', undefined],
  ['7', undefined],
  ['30', undefined],
  ['0', 'notAllowed'],
  ['31', 'notAllowed'],
  ['', 'notAllowed'],
  [7, 'notAllowed'],
])('records are kept 1, 7 or 30 days: %j gives %s', (keepDays, expected) =>
  expect(problems({ ...url, keepDays })).toEqual(expected ? { keepDays: expected } : {}),
)

const long = (length: number) => `https://logs.example.com/${'a'.repeat(length - 'https://logs.example.com/'.length)}`
test.each([
  ['an address and a port', 'http://192.0.2.1:8080/records', undefined],
  ['a name and a question', 'https://logs.example.com/in?key=1', undefined],
  ['512 characters', long(512), undefined],
  ['513 characters', long(513), 'urlFormat'],
  ['another scheme', 'ftp://logs.example.com/', 'urlFormat'],
  ['no scheme', 'logs.example.com', 'urlFormat'],
  ['a script', 'javascript:alert(1)', 'urlFormat'],
  ['a scheme alone', 'http://', 'urlFormat'],
])('G2: the log server by %s', (_, logServer, expected) =>
  expect(problems({ ...url, logServer })).toEqual(expected ? { logServer: expected } : {}),
)

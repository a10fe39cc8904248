import alerts from '@/locales/en/alerts.json'
import words from '@/locales/en/alertTypes.json'
import { wordsOf } from '@/model/notify/alert-words'
import { alertFacts, alertTypes, levelOf, overAtOnce, recoveries, thresholds } from '@/model/notify/catalogue'
import { filesUnder, readText } from './_tree'

const texts: Readonly<Record<string, string>> = words.types
const raises = filesUnder('server', /\.ts$/)
  .map(readText)
  .filter(text => /\b(?:raiseAlert|deviceAlert|deviceTrouble)\(/.test(text))

/** Raised by what the catalogue says of another, or of a value; and the one that is a sample. */
const bySelf = new Set<string>([...recoveries, ...thresholds.map(one => one.type), 'noticeTest'])

test('each type of alert is raised somewhere, and nothing else is', () => {
  const named = (type: string) => raises.some(text => text.includes(`'${type}'`))
  expect(raises.length).toBeGreaterThan(8)
  expect(alertTypes.filter(type => !bySelf.has(type) && !named(type))).toEqual([])
})

test('each type of alert has its advice and its sentence, of values that it has, and no other does', () => {
  // What is known of an alert chooses among its sentences.
  const known: Record<string, string>[] = [
    {},
    { reason: 'x' },
    { port: '1' },
    { behind: '2' },
    { port: '1', behind: '2' },
  ]
  const keysOf = (type: string) => [...new Set(known.map(values => wordsOf(type, values)))]
  expect(Object.keys(words.advice).toSorted()).toEqual(alertTypes.toSorted())
  expect(Object.keys(texts).toSorted()).toEqual(alertTypes.flatMap(keysOf).toSorted())
  for (const type of alertTypes) {
    const asked = keysOf(type).flatMap(key => [...(texts[key] ?? '').matchAll(/\{(\w+)/g)].map(([, name = '']) => name))
    expect([type, asked.filter(name => !alertFacts[type].values.includes(name))]).toEqual([type, []])
  }
})

test('each trouble ends: at once, by a word of its end, or silently where somebody saw to it', () => {
  const silent = ['webhookPaused', 'portalUntrusted']
  const ends = filesUnder('server', /\.ts$/)
    .map(readText)
    .filter(text => /\b(?:recoverAlerts|recoverOwn|closeOwn)\(/.test(text))
  const over = new Set<string>(overAtOnce)
  const open = alertTypes.filter(type => !over.has(type) && !alertFacts[type].recovery && type !== 'noticeTest')
  expect(open.toSorted()).toEqual(silent.toSorted())
  const named = (type: string) => ends.some(text => text.includes(`'${type}'`))
  const watched = new Set<string>(thresholds.map(one => one.type))
  const troubles = alertTypes.filter(type => alertFacts[type].recovery && !watched.has(type))
  expect([...silent, ...troubles].filter(type => !named(type))).toEqual([])
})

test('each place has its words, and every place is that of an alert', () => {
  const places = new Set(alertTypes.map(type => alertFacts[type].place).filter(place => place !== 'none'))
  expect([...places].sort()).toEqual(Object.keys(alerts.detail.places).sort())
})

test('an alert that says that another is over is a notice', () => {
  expect(recoveries.map(type => levelOf(type))).toEqual(recoveries.map(() => 15))
})

test('where an alert is graver for some, who raises it says so', () => {
  expect([levelOf('deviceOffline', 'gateway'), levelOf('deviceOffline', 'other'), levelOf('logRule', '15')]).toEqual([
    5, 10, 15,
  ])
  expect(() => levelOf('deviceOffline')).toThrow()
})

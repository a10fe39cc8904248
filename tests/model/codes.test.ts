import { codes, type DocumentRefusal, documentCode } from '@/model/codes'
import { listKindIds } from '@/model/registry'

// The numbers of refusals (specification 2-rules.md section 8.2).

const ranges: Readonly<Record<(typeof listKindIds)[number], number>> = {
  ssid: 70,
  ppsk: 70,
  radius: 70,
  portal: 70,
  splash: 70,
  radiusUser: 70,
  radiusClient: 70,
  smsGateway: 70,
  lan: 33,
  wan: 36,
  internetSource: 41,
  wiredRule: 24,
  wirelessRule: 24,
  portForward: 24,
  blockedClient: 24,
  timePolicy: 11,
  portProfile: 37,
  schedule: 17,
  bandwidthRule: 80,
  staticRoute: 39,
  policyRoute: 39,
  logRule: 10,
}
const refusals: readonly DocumentRefusal[] = ['notFound', 'nameExists', 'inUse', 'limit', 'damaged']

test('every kind of settings with a list refuses by numbers of its own, in the range of its area', () => {
  expect(Object.keys(ranges).toSorted()).toEqual([...listKindIds].toSorted())
  for (const kind of listKindIds)
    for (const refusal of refusals) {
      const code = codes[documentCode(kind, refusal)]
      expect([kind, refusal, Math.floor(code / 1000)]).toEqual([kind, refusal, ranges[kind]])
    }
})

test('no number stands for two refusals', () => {
  const numbers = Object.values(codes)
  expect(numbers.filter((code, at) => numbers.indexOf(code) !== at)).toEqual([])
})

test.each([
  ['passwordFormat', 10016],
  ['emailFormat', 10018],
  ['groupNameEmpty', 21000],
  ['dnsInvalid', 50021],
  ['blacklistFull', 90027],
  ['ipUndeletable', 1140001],
  ['ipNotFound', 1140002],
  ['ipIllegal', 1140005],
  ['ipExists', 1140006],
  ['ipUneditable', 1140008],
  ['backupNewer', 22007],
  ['deviceElsewhere', 30012],
  ['notInShared', 20006],
] as const)('%s is %i', (name, code) => expect(codes[name]).toBe(code))

import { findPorts } from '@/server/worker/port-search'

const entry = (id: number, name: string, labels: string[], network = 1) => ({
  device: { id, name, network },
  panel: labels.map(label => ({ label })),
  panelUp: [true],
})
const entries = [entry(1, 'sw1', ['p1', 'p2', 'p12']), entry(2, 'sw2', ['p2']), entry(3, 'sw3', ['p2'], 2)]
const find = (search: string, most = 8) =>
  findPorts(entries, { network: 1, search, most }).map(one => `${one.deviceName} ${one.label}`)

test('ports are found by their label, with or without their device’s name, in this network alone', () => {
  expect(find('P2')).toEqual(['sw1 p2', 'sw2 p2'])
  expect(find('sw1 p1')).toEqual(['sw1 p1', 'sw1 p12'])
  expect(find('p2 sw2')).toEqual(['sw2 p2'])
  expect(find('p', 2)).toEqual(['sw1 p1', 'sw1 p2'])
})

test('a device’s name alone finds none of its ports', () => {
  expect(find('sw1')).toEqual([])
  expect(find('')).toEqual([])
})

test('a port says whether it has a link, where its device said so', () => {
  const [up, unknown] = findPorts(entries, { network: 1, search: 'sw1 p', most: 2 })
  expect([up?.up, unknown?.up]).toEqual([true, undefined])
})

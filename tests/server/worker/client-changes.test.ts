import { changesSince, nothingTold } from '@/server/worker/client-changes'
import type { Client } from '@/server/worker/clients-merge'

const client = (mac: string, more: Partial<Client> = {}): Client => ({ mac, wifi: false, since: 1, ...more })
const network = (...all: Client[]) => new Map(all.map(one => [one.mac, one]))

test('only what differs is told: who came, who is elsewhere or called otherwise, who is gone', () => {
  const told = nothingTold(100)
  const first = changesSince(told, undefined, new Map([[1, network(client('a'), client('b'))]]))
  expect(first).toMatchObject({ token: 101, whole: true, more: false })
  expect(first.networks).toEqual([{ network: 1, here: [client('a'), client('b')], gone: [] }])
  // Signal and traffic are no news.
  const same = changesSince(told, 101, new Map([[1, network(client('a', { signalDbm: -40 }), client('b'))]]))
  expect(same).toMatchObject({ token: 102, whole: false, networks: [] })
  const moved = client('a', { port: 'lan2' })
  expect(changesSince(told, 102, new Map([[1, network(moved)]])).networks).toEqual([
    { network: 1, here: [moved], gone: ['b'] },
  ])
  // A network of which nothing is read any more.
  expect(changesSince(told, 103, new Map()).networks).toEqual([{ network: 1, here: [], gone: ['a'] }])
  expect(changesSince(told, 104, new Map()).networks).toEqual([])
})

test('an answer that was lost is told anew, whole', () => {
  const told = nothingTold(1)
  const now = new Map([[1, network(client('a'))]])
  changesSince(told, undefined, now)
  expect(changesSince(told, undefined, now)).toMatchObject({ whole: true, networks: [{ here: [{ mac: 'a' }] }] })
  expect(changesSince(told, 3, now)).toMatchObject({ whole: false, networks: [] })
})

test('thousands are told in several answers, each once', () => {
  const told = nothingTold(1)
  const many = Array.from({ length: 12_000 }, (_, at) => client(`mac${at}`))
  const now = new Map([
    [1, network(...many.slice(0, 7000))],
    [2, network(...many.slice(7000))],
  ])
  const heard: string[] = []
  let token: number | undefined
  for (let answer = 0; answer < 10; answer++) {
    const news = changesSince(told, token, now)
    token = news.token
    expect(news.whole).toBe(answer === 0)
    heard.push(...news.networks.flatMap(({ here }) => here.map(({ mac }) => mac)))
    if (!news.more) break
  }
  expect(heard.length).toBe(12_000)
  expect(new Set(heard).size).toBe(12_000)
})

// So many devices at a time by the same credential, as the portal says.

import { isCrowded } from '@/server/guests/sessions/crowd'
import { findPlace, type Place } from '@/server/guests/sessions/place'
import type { Entry } from '@/server/guests/sessions/store'
import { startGuest } from '@/server/guests/sessions/store'
import { type Guest, type House, house } from './_house'

let one: House
let count = 0
const device = (): Guest => {
  count += 1
  return { mac: `02:00:00:00:c0:${count.toString(16).padStart(2, '0')}`, ip: `10.66.9.${count}` }
}
beforeAll(async () => {
  one = await house({
    ...{ name: 'Two', methods: ['free', 'simplePassword', 'voucher'], password: 'harbour', maxDevices: 2 },
  })
})
afterAll(() => one.end())

const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const enter = (guest: Guest) => one.send(guest, { method: 'simplePassword', password: 'harbour' })
const full = '2 devices are online with this sign-in, and it is good for no more.'

test('G10: the password lets so many in at a time; one that leaves makes room, who is in is asked nothing', async () => {
  const [first, second, third] = [device(), device(), device()]
  for (const guest of [first, second, second]) expect((await enter(guest)).text).toContain('You are online')
  const { text, status } = await enter(third)
  expect(status).toBe(200)
  expect(text).toContain(full)
  expect(text).toContain('role="alert"')
  expect(text).not.toContain('value="harbour"')
  expect(isIn(third)).toBe(false)
  expect(one.rows().filter(row => row.mac === third.mac)).toEqual([
    expect.objectContaining({ state: 2, why: 'devicesFull', method: 13 }),
  ])
  // A guess it was not: nobody waits for it.
  for (let tries = 0; tries < 7; tries++) expect((await enter(third)).text).toContain(full)
  // Another way is not held up by it, and a voucher says its own number.
  const [code = ''] = one.codes(1, { maxDevices: 1 })
  await one.send(third, { method: 'voucher', code })
  expect(isIn(third)).toBe(true)
  const free = [device(), device(), device()]
  for (const guest of free) await one.send(guest, { method: 'free' })
  expect(free.map(isIn)).toEqual([true, true, true])
  await one.send(first, { act: 'leave' })
  const fourth = device()
  expect((await enter(fourth)).text).toContain('You are online')
  await one.send(second, { act: 'leave' })
  await one.send(fourth, { act: 'leave' })
})

test('of several at once exactly as many as there is room for are in', async () => {
  const all = Array.from({ length: 6 }, device)
  const pages = await Promise.all(all.map(enter))
  expect(pages.filter(({ text }) => text.includes('You are online'))).toHaveLength(2)
  expect(pages.filter(({ text }) => text.includes(full))).toHaveLength(4)
  expect(all.filter(isIn)).toHaveLength(2)
})

describe('counted', () => {
  let place: Place
  const by = (method: number, label: string): Entry => ({ method, seconds: 600, label })
  const other = device()
  beforeAll(async () => {
    place = (await findPlace(one.manager.runtime, one.lan)) as Place
    const entries = [
      by(1, 'Anna'),
      by(1, 'anna'),
      { ...by(19, 'a@example.com'), provisional: true },
      by(19, 'a@example.com'),
    ]
    for (const entry of entries) startGuest(one.manager.runtime, place, device(), entry, Date.now())
  })

  test.each([
    ['the same name, however it is written', by(1, 'ANNA'), 2, true],
    ['the same name where there is room', by(1, 'Anna'), 3, false],
    ['any number', by(1, 'Anna'), 0, false],
    ['another name', by(1, 'Annabel'), 2, false],
    ['the same name by another way', by(20, 'Anna'), 1, false],
    ['an address, but whoever only reads the letter', by(19, 'a@example.com'), 2, false],
    ['an address', by(19, 'a@example.com'), 1, true],
    ['nobody who only reads the letter', { ...by(19, 'a@example.com'), provisional: true }, 1, false],
    ['nobody by a voucher', { ...by(12, 'Anna'), voucher: 1 }, 1, false],
  ] as const)('%s', (_, entry, maxDevices, crowded) => {
    const policy = { ...place.policy, maxDevices }
    expect(isCrowded(one.manager.runtime, { ...place, policy }, other, entry)).toBe(crowded)
  })

  test('a name in the whole network, the password in its LAN', () => {
    const elsewhere = { ...place, lan: 'another', policy: { ...place.policy, maxDevices: 1 } }
    expect(isCrowded(one.manager.runtime, elsewhere, other, by(1, 'Anna'))).toBe(true)
    expect(isCrowded(one.manager.runtime, elsewhere, other, by(13, ''))).toBe(false)
    expect(isCrowded(one.manager.runtime, { ...elsewhere, lan: one.lan }, other, by(13, ''))).toBe(true)
  })
})

import { performance } from 'node:perf_hooks'
import { lookAtGuests } from '@/server/guests/sessions/watch'
import { type Guest, type House, house } from '../server/guests/_house'
import { percentile, type Row, row } from './table'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const arrivals = 1000
const all = 5000
const minuteMs = 60_000
/** What a real gateway takes to let somebody in among 5,000. */
const gatewayMs = 47

const guestOf = (at: number): Guest => ({
  mac: `02:00:00:00:${(at >> 8).toString(16).padStart(2, '0')}:${(at & 255).toString(16).padStart(2, '0')}`,
  ip: `10.66.${(at >> 8) & 255}.${at & 255}`,
})

type Times = { page: number[]; redeemed: number[] }

/** One guest: asks for the page, then sends the code; both as a gateway's redirect leads there. */
async function arrive(one: House, guest: Guest, code: string, times: Times): Promise<void> {
  const begun = performance.now()
  const { text } = await one.get(one.query(guest))
  times.page.push(performance.now() - begun)
  if (!text.includes('name="code"')) throw new Error('no page')
  const sent = performance.now()
  const answer = await one.send(guest, { method: 'voucher', code })
  times.redeemed.push(performance.now() - sent)
  if (!answer.text.includes('You are online')) throw new Error('not let in')
}

/** So many, evenly within so long. */
async function arriving(one: House, guests: readonly Guest[], codes: readonly string[], withinMs: number) {
  const times: Times = { page: [], redeemed: [] }
  const begun = performance.now()
  const running = guests.map(async (guest, at) => {
    await wait((at * withinMs) / guests.length)
    await arrive(one, guest, codes[at] ?? '', times)
  })
  await Promise.all(running)
  return { times, tookMs: performance.now() - begun }
}

/** Guests who come by voucher, and a network that is full of them; the gateway keeps to its contract, and is no real one. */
export async function measureGuests(): Promise<Row[]> {
  const one = await house()
  one.gateway.takesMs = gatewayMs
  try {
    const codes = Array.from({ length: all / 1000 }, () => one.codes(1000)).flat()
    const guests = Array.from({ length: all }, (_, at) => guestOf(at))
    const first = await arriving(one, guests.slice(0, arrivals), codes, minuteMs)
    for (let from = arrivals; from < all - 100; from += 400) {
      const to = Math.min(from + 400, all - 100)
      await arriving(one, guests.slice(from, to), codes.slice(from, to), 0)
    }
    const late = await arriving(one, guests.slice(all - 100), codes.slice(all - 100), minuteMs / 10)
    const begun = performance.now()
    await lookAtGuests(one.manager.runtime, 1)
    const lookMs = performance.now() - begun
    const inside = one.rows().filter(guest => guest.ended === null).length
    const p95 = (samples: number[]) => percentile(samples, 0.95)
    return [
      row(
        `${arrivals} guests with vouchers within a minute: the portal's page, p95`,
        p95(first.times.page),
        'ms',
        300,
        0,
      ),
      row(
        `the voucher taken and let in (${gatewayMs} ms of it the gateway's), p95`,
        p95(first.times.redeemed),
        'ms',
        300,
        0,
      ),
      row(`the same with ${inside} guests in, p95`, p95(late.times.redeemed), 'ms', 300, 0),
      row(`one look at ${inside} guests`, lookMs / 1000, 's', 30, 2),
    ]
  } finally {
    await one.end()
  }
}

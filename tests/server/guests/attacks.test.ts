// What somebody sends who wants in without a right to it: guesses, replays, others' tokens and addresses, parameters.
import { guessing } from '@/server/guests/portal/tries'
import { every, type Guest, type House, house, type Page } from './_house'

let one: House
let count = 0
function device(): Guest {
  count += 1
  return { mac: `02:00:00:00:0b:${count.toString(16).padStart(2, '0')}`, ip: `10.66.11.${count}` }
}
const isIn = ({ mac }: Guest) => one.gateway.in.has(mac)
const row = ({ mac }: Guest) => one.rows().findLast(guest => guest.mac === mac)
const wait = 'Wait 10 minutes'

beforeAll(async () => {
  one = await house()
})
afterAll(() => one.end())

/** By each of them somebody guesses; a code that is mistyped is a guess, too. */
const guesses: Record<string, (at: number) => Record<string, string>> = {
  vouchers: at => ({ method: 'voucher', code: `222-222-2${23 + at}` }),
  'vouchers that are none by their own sum': at => ({ method: 'voucher', code: `AAAA-${at}` }),
  passwords: at => ({ method: 'simplePassword', password: `no${at}` }),
  'passwords and vouchers in turn': (at): Record<string, string> =>
    at % 2 ? { method: 'voucher', code: '222-222-222' } : { method: 'simplePassword', password: `no${at}` },
}

describe.each(Object.entries(guesses))('guessing %s', (_, guess) => {
  const right = (guest: Guest) => one.send(guest, { method: 'simplePassword', password: 'harbour' })

  test('a device waits after six, the right one among what it then sends; ten minutes later it does not', async () => {
    const guest = device()
    for (let at = 0; at < guessing.device; at++) {
      const { text } = await one.send(guest, guess(at))
      expect(text).not.toContain(wait)
    }
    expect((await right(guest)).text).toContain(wait)
    expect(isIn(guest)).toBe(false)
    const at = Date.now()
    const clock = jest.spyOn(Date, 'now').mockReturnValue(at + guessing.minutes * 60_000 + 1000)
    expect((await right(guest)).text).toContain('You are online')
    clock.mockRestore()
  })
})

test('guessing from one address by ever new MAC addresses is one device’s guessing', async () => {
  const { ip } = device()
  const texts: string[] = []
  for (let at = 0; at < guessing.device + 1; at++)
    texts.push((await one.send({ ...device(), ip }, { method: 'simplePassword', password: 'no' })).text)
  expect(texts.map(text => text.includes(wait))).toEqual([...Array(guessing.device).fill(false), true])
})

describe('a gateway’s answer', () => {
  test('replayed by another device lets in whom it names, and not who sends it', async () => {
    const [guest, thief] = [device(), device()]
    const seen = Object.fromEntries(one.query(guest))
    await one.post({ ...seen, method: 'free', mac: guest.mac })
    expect([isIn(guest), isIn(thief)]).toEqual([true, false])
    // With the sender's own address written into it, it is nobody's.
    expect((await one.post({ ...seen, method: 'free', mac: thief.mac })).status).toBe(403)
    expect((await one.post({ ...seen, method: 'free', ip: thief.ip })).status).toBe(403)
    expect(isIn(thief)).toBe(false)
  })

  test('replayed after somebody was blocked, or once an hour passed, lets nobody in', async () => {
    const [guest, other] = [device(), device()]
    const [seen, old] = [guest, other].map(one2 => Object.fromEntries(one.query(one2))) as Record<string, string>[]
    await one.post({ ...seen, method: 'free' })
    await one.owner.post('guests/block', { macs: [guest.mac] })
    expect((await one.post({ ...seen, method: 'free' })).text).toContain('This device is blocked')
    const at = Date.now()
    const clock = jest.spyOn(Date, 'now').mockReturnValue(at + 3_602_000)
    expect((await one.post({ ...old, method: 'free' })).status).toBe(403)
    clock.mockRestore()
    expect([isIn(guest), isIn(other)]).toEqual([false, false])
  })
})

describe('another guest’s token', () => {
  test('is of one device at a time: whoever goes on by it takes the session along, and nothing is doubled', async () => {
    const [guest, thief] = [device(), device()]
    const { cookie } = await one.send(guest, { method: 'free' })
    const ends = row(guest)?.ends
    await one.send(thief, { act: 'resume' }, { cookie })
    expect([isIn(guest), isIn(thief)]).toEqual([false, true])
    expect(row(thief)).toMatchObject({ ends, ended: null })
    expect([guest, thief].map(of => row(of)?.ended)).toEqual([undefined, null])
    // Whom it was given to is asked again, and comes in by their own right.
    expect((await one.get(one.query(guest))).text).toContain('Welcome to the Wi-Fi')
  })

  test('goes on with nothing for a blocked device, nor in another LAN, nor as a parameter of a forged redirect', async () => {
    const [guest, thief] = [device(), device()]
    const { cookie } = await one.send(guest, { method: 'free' })
    const token = cookie.split('=')[1] ?? ''
    await one.owner.post('guests/block', { macs: [thief.mac] })
    expect((await one.send(thief, { act: 'resume' }, { cookie })).text).toContain('This device is blocked')
    const portal = await one.save('portal', { ...every, name: 'Other' })
    const lan = await one.save('lan', {
      ...{ name: 'Other LAN', vlan: 67, address: '10.67.0.1/24', dhcp: false, portal, assign: { all: true } },
    })
    const elsewhere = Object.fromEntries(one.query(thief, {}, lan))
    await one.owner.post('guests/unblock', { macs: [thief.mac] })
    await one.post({ ...elsewhere, act: 'resume', token }, { cookie }, lan)
    expect((await one.get(`token=${token}`, {}, lan)).status).toBe(403)
    expect((await one.post({ mac: thief.mac, ip: thief.ip, at: '1', sig: 'x', act: 'resume', token })).status).toBe(403)
    expect([isIn(guest), isIn(thief)]).toEqual([true, false])
  })

  test.each(['', 'x', '../guest', "' OR 1=1 --", 'AAAAAAAAAAAAAAAAAAAAAA', '%00', 'a'.repeat(5000)])(
    'guessed as %j is nobody’s',
    async token => {
      const guest = device()
      await one.send(guest, { method: 'free' })
      const thief = device()
      const { text } = await one.send(thief, { act: 'resume', token }, { cookie: `guest=${token}` })
      expect(text).not.toContain('You are online')
      expect([isIn(guest), isIn(thief)]).toEqual([true, false])
    },
  )
})

describe('parameters', () => {
  /** A form in which some names stand twice: what came first counts. */
  async function doubled(guest: Guest, more: [string, string][], first: boolean): Promise<Page> {
    const own: [string, string][] = [...one.query(guest), ['method', 'simplePassword']]
    return one.post(new URLSearchParams(first ? [...more, ...own] : [...own, ...more]))
  }

  test.each([true, false])(
    'a name twice lets in nobody whom no gateway named (the strange one first: %s)',
    async first => {
      const [guest, thief] = [device(), device()]
      const strange: [string, string][] = [
        ['mac', thief.mac],
        ['ip', thief.ip],
        ['password', 'harbour'],
      ]
      const { status } = await doubled(guest, strange, first)
      expect([status, isIn(thief)]).toEqual(first ? [403, false] : [200, false])
      expect(isIn(guest)).toBe(!first)
    },
  )

  test('more of them in what a guest asked for are text of that address', async () => {
    const [guest, thief] = [device(), device()]
    const url = `http://a.example/?x=1&mac=${thief.mac}&ip=${thief.ip}&sig=x&method=free&act=leave#&other=1`
    const { text } = await one.get(one.query(guest, { url }))
    const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    expect(hidden.map(found => found[1]).toSorted()).toEqual(['at', 'ip', 'mac', 'sig', 'url'])
    expect(hidden.find(found => found[1] === 'mac')?.[2]).toBe(guest.mac)
    await one.send(guest, { method: 'free', url })
    expect([isIn(guest), isIn(thief)]).toEqual([true, false])
  })

  test.each([
    ['a way in that the portal does not have', { method: 'external', answer: 'e30', answerSig: 'x' }],
    ['a way in of an object’s own', { method: '__proto__' }],
    ['a way in that is a function', { method: 'constructor' }],
    [
      'the step after a code that was never sent',
      { method: 'email', step: 'code', to: 'a@b.example', mailCode: '123456' },
    ],
    ['bounds of its own', { method: 'none', seconds: '999999', bytes: '0', download: '0', voucher: '1' }],
  ])('%s is none', async (_, form) => {
    const guest = device()
    await one.send(guest, form as Record<string, string>)
    expect(isIn(guest)).toBe(false)
  })

  test('bounds beside a right password are not the guest’s to say', async () => {
    const guest = device()
    const more = {
      seconds: '999999',
      minutes: '999',
      bytes: '1',
      download: '1',
      passwordDays: '9',
      label: 'x',
      network: '2',
    }
    await one.send(guest, { method: 'simplePassword', password: 'harbour', ...more })
    expect(one.gateway.in.get(guest.mac)?.bounds).toEqual(
      expect.objectContaining({ mac: guest.mac, lan: one.lan, seconds: 8 * 3600, idleSeconds: 300 }),
    )
    expect(one.gateway.in.get(guest.mac)?.bounds).not.toHaveProperty('bytes')
  })

  test.each([
    '//evil.example/',
    '/\\evil.example',
    'https:evil.example',
    'http://a.example\r\nLocation: https://evil.example/',
    'javascript:alert(1)//http://',
    'data:text/html,<script>alert(1)</script>',
  ])('open redirect: what was asked for as %j leads nowhere, before and after', async url => {
    const guest = device()
    const pages = [
      await one.get(one.query(guest, { url })),
      await one.send(guest, { method: 'free', url, landing: url, to: url, redirect: url, next: url }),
      await one.get(one.query(guest, { url, to: url })),
    ]
    for (const { text, headers } of pages) {
      expect([headers.get('location'), headers.get('refresh')]).toEqual([null, null])
      expect(text).not.toMatch(/<(a|form|meta|iframe|script|img)\b[^>]*(evil|javascript:|data:)/i)
    }
  })
})

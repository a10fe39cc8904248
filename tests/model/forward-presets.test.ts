// What a port forward starts from: each is one that can be saved, and says what is dangerous about it.
import { portForward } from '@/model/firewall/forward'
import { forwardPresets } from '@/model/firewall/forward-presets'
import { check, type Data } from '@/model/kind'
import { available } from '@/model/locales'
import { numberRanges } from '@/model/rules'
import { readText } from '../contract/_tree'

type Said = { label: string; help?: string; danger?: string; hint?: string }
const wordsIn = (locale: string) =>
  JSON.parse(readText(`locales/${locale}/firewall.json`)).portForward.presets as Record<string, Said> & {
    danger: unknown
  }
const presets = forwardPresets as readonly { id: string; fields: Data; danger?: true }[]
const ids = presets.map(one => one.id)

test.each(presets.map(one => [one.id, one.fields] as const))(
  '%s makes a port forward once it has a server, called by its own words in every language',
  (id, fields) => {
    for (const locale of available) {
      const name = wordsIn(locale)[id]?.label
      const checked = check(portForward, { name, ...fields, address: '10.0.0.5' }, { kept: [] })
      // As it is stored: what is filled in is not another value once it was saved.
      expect(checked).toEqual({ data: expect.objectContaining({ name, ...fields }) })
    }
  },
)

test('each is there once, with words, and no words are there for none', () => {
  expect(new Set(ids).size).toBe(ids.length)
  expect(Object.keys(wordsIn('en')).toSorted()).toEqual([...ids, 'danger'].toSorted())
})

/** Telnet, SSH, SMB, RTSP, SQL, RDP, SIP, VNC, pages of a NAS and of a house: what is searched for to break in. */
const known = [21, 22, 23, 139, 445, 554, 1433, 3306, 3389, 5001, 5060, 5432, 5900, 8123]

test.each(presets.map(one => [one.id, one] as const))(
  '%s warns where its ports are known to be broken into',
  (id, one) => {
    const ranges = numberRanges(String(one.fields.ports)) ?? []
    const risky =
      one.fields.protocol !== 'udp' &&
      known.some(port => ranges.some(({ first, last }) => first <= port && port <= last))
    expect(one.danger ?? false).toBe(risky)
    const { danger } = wordsIn('en')[id] as Said
    expect(danger !== undefined).toBe(risky)
    // A sentence of what happens, and one of what to do instead.
    if (risky) expect(danger).toMatch(/^[A-Z].*\. Safer: .*\.$/)
  },
)

test('what was asked for most stands in the list', () => {
  const has = (protocol: string, ports: string) =>
    presets.some(({ fields }) => fields.protocol === protocol && fields.ports === ports)
  const wanted = [
    ...([
      ['tcp', '80,443'],
      ['tcpUdp', '3389'],
      ['tcp', '22'],
      ['tcp', '554'],
      ['tcp', '25565'],
      ['tcp', '32400'],
    ] as const),
    ...([
      ['tcp', '8123'],
      ['udp', '51820'],
      ['tcpUdp', '5060-5061'],
      ['tcp', '445'],
    ] as const),
  ]
  expect(wanted.filter(([protocol, ports]) => !has(protocol, ports))).toEqual([])
})

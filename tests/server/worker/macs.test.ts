import { hasMac, joinMacs, packMacs, sameMacs } from '@/server/worker/macs'
import { randomOf } from '../../soak/random'

const random = randomOf(20_261_125)
const byte = () => Math.floor(random() * 256)
const mac = () => Array.from({ length: 6 }, () => byte().toString(16).padStart(2, '0')).join(':')

test('packed MACs hold what a set of their texts holds', () => {
  for (let round = 0; round < 50; round++) {
    const lists = Array.from({ length: 1 + (byte() % 4) }, () => Array.from({ length: byte() % 40 }, mac))
    const all = new Set(lists.flat())
    const packed = joinMacs(lists.map(packMacs))
    for (const one of [...all, ...Array.from({ length: 20 }, mac)]) expect(hasMac(packed, one)).toBe(all.has(one))
    expect(sameMacs(packMacs(all), packMacs([...all].reverse()))).toBe(true)
    expect(sameMacs(packMacs(all), packMacs([...all, mac()]))).toBe(false)
  }
})

test.each(['', 'sw1', '02:00:00:00:00', '02:00:00:00:00:zz', '02-00-00-00-00-01x', 'ff:ff:ff:ff:ff:ff'])(
  'what is no MAC of a device is none: “%s”',
  text => expect(hasMac(packMacs(['02:00:00:00:00:01', 'sw1', '']), text)).toBe(false),
)

// What is made of private keys is in golden/*/private-keys; here is what a change of them does to people.
import { wifiRenderer as linux } from '@/server/drivers/linux/wifi/wifi'
import { wifiRenderer as openwrt } from '@/server/drivers/openwrt/wifi/wifi'
import { made, readCase } from './_golden'

test.each([
  ['linux/private-keys/01-keys', linux],
  ['openwrt/private-keys/01-keys', openwrt],
] as const)('%s: a change of a key interrupts nobody', (name, renderer) => {
  const { observation } = readCase(name).given
  const own = made(name).blocks.filter(one => one.kind === 'ppsk')
  expect(own.length).toBeGreaterThan(2)
  expect(own.map(block => renderer.interrupts?.(block, observation))).toEqual(own.map(() => undefined))
})

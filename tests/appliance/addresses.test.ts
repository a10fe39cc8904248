import type { NetworkInterfaceInfo } from 'node:os'
import { addressesOf, interfaceOf } from '@/appliance/http/addresses'

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
  [{ address, family: address.includes(':') ? 'IPv6' : 'IPv4', internal: false, ...more }] as NetworkInterfaceInfo[]
const interfaces = {
  lo: at('127.0.0.1', { internal: true }),
  docker0: at('172.17.0.1'),
  eth0: [...at('192.168.1.20'), ...at('fe80::1')],
}
const all = { interfaces, main: 'eth0', bind: '::', port: 8443, forwarded: false }

test('the address by which the LAN reaches this machine comes first, not that of a bridge inside it', () => {
  expect(addressesOf(all)).toEqual(['https://192.168.1.20:8443', 'https://172.17.0.1:8443', 'https://localhost:8443'])
  expect(addressesOf({ ...all, bind: 'fd00::5' })).toEqual(['https://[fd00::5]:8443'])
})

test('in the device lab only what is forwarded can be opened', () => {
  expect(addressesOf({ ...all, forwarded: true })).toEqual(['https://localhost:8443'])
})

test('the interface of the default route with the best metric', () => {
  const head = 'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n'
  const line = (name: string, to: string, metric: number, mask: string) =>
    `${name}\t${to}\t0101A8C0\t0003\t0\t0\t${metric}\t${mask}\t0\t0\t0\n`
  const table = `${head}${line('wlan0', '00000000', 600, '00000000')}${line('eth0', '00000000', 100, '00000000')}${line('eth0', '0001A8C0', 0, '00FFFFFF')}`
  expect(interfaceOf(table)).toBe('eth0')
  expect(interfaceOf(head)).toBeUndefined()
})

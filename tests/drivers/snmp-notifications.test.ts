import { pdu, tag } from '@/server/drivers/snmp/protocol/ber'
import { encodePdu, integer, tlv } from '@/server/drivers/snmp/protocol/ber-write'
import { encodeV3 } from '@/server/drivers/snmp/protocol/message-v3'
import { readNotification } from '@/server/drivers/snmp/protocol/notification'
import { receiveV3, seenEngines } from '@/server/drivers/snmp/protocol/notification-v3'
import { trapText } from '@/server/drivers/snmp/traps/trap-text'

const text = (trap: string, bindings: Parameters<typeof trapText>[0]['bindings'] = [], more: object = {}) =>
  trapText({ version: 2, inform: false, trap, bindings, ...more })
const bound = (oid: string, type: number, value: number | string | Buffer | null) => ({ base: -1, oid, type, value })

test.each([
  ['1.3.6.1.6.3.1.1.5.1', 'coldStart', 4],
  ['1.3.6.1.6.3.1.1.5.2', 'warmStart', 4],
  ['1.3.6.1.6.3.1.1.5.3', 'linkDown', 4],
  ['1.3.6.1.6.3.1.1.5.4', 'linkUp', 5],
  ['1.3.6.1.6.3.1.1.5.5', 'authenticationFailure', 4],
  ['1.3.6.1.2.1.17.0.2', 'topologyChange', 5],
  ['1.0.8802.1.1.2.0.0.1', 'lldpRemTablesChange', 6],
])('%s is %s', (trap, name, severity) => {
  expect(text(trap)).toEqual({ name, text: '', severity })
})

test('what nobody named keeps its number, says its maker, and no severity', () => {
  expect(text('1.3.6.1.4.1.30065.3.1.0.7')).toEqual({ name: '1.3.6.1.4.1.30065.3.1.0.7', text: 'maker: Arista' })
})

test.each([
  [bound('1.3.6.1.2.1.2.2.1.8.12', tag.integer, 2), 'ifOperStatus.12: down'],
  [bound('1.3.6.1.2.1.2.2.1.8.12', tag.integer, 9), 'ifOperStatus.12: 9'],
  [bound('1.3.6.1.2.1.1.5.0', tag.octets, Buffer.from('sw-1')), 'sysName: sw-1'],
  [
    bound('1.3.6.1.2.1.2.2.1.6.3', tag.octets, Buffer.from('02aabb000001', 'hex')),
    'ifPhysAddress.3: 02:aa:bb:00:00:01',
  ],
  [bound('1.3.6.1.4.1.1.2', tag.octets, Buffer.from([0xff, 0, 1])), '1.3.6.1.4.1.1.2: ff 00 01'],
  [bound('1.3.6.1.2.1.2.2.1.9.3', tag.timeTicks, 8_640_000 + 372_300), 'ifLastChange.3: 1 d 1:02:03'],
  [bound('1.3.6.1.2.1.88.2.1.4.0', tag.oid, '1.3.6.1.2.1.2.2.1.8.4'), 'mteHotOID: ifOperStatus.4'],
  [bound('1.3.6.1.6.3.18.1.3.0', tag.ipAddress, '10.0.0.9'), 'snmpTrapAddress: 10.0.0.9'],
  [bound('1.3.6.1.4.1.1.2', tag.null, null), '1.3.6.1.4.1.1.2: null'],
])('what it carries is told by name: %#', (binding, said) => {
  expect(text('1.3.6.1.6.3.1.1.5.3', [binding]).text).toBe(said)
})

test('a trap of version 1 of its own enterprise, and one of a kind that is none', () => {
  const first = (generic: number) =>
    tlv(
      0x30,
      integer(0),
      tlv(tag.octets, Buffer.from('public')),
      tlv(
        0xa4,
        tlv(tag.oid, Buffer.from('2b0601040109', 'hex')),
        tlv(tag.ipAddress, Buffer.from([10, 0, 0, 7])),
        integer(generic),
        integer(12),
        integer(5, tag.timeTicks),
        tlv(0x30),
      ),
    )
  const { notification } = readNotification(first(6))
  expect(notification).toEqual({
    version: 1,
    inform: false,
    trap: '1.3.6.1.4.1.9.0.12',
    agent: '10.0.0.7',
    bindings: [],
  })
  expect(() => readNotification(first(7))).toThrow('no such generic trap')
})

test('who cannot sign makes nobody stretch keys, however many engines are invented', () => {
  const logins = [
    {
      ...{ type: 'snmp3' as const, user: 'traps', level: 'authPriv' as const, authProtocol: 'sha' as const },
      ...{ authKey: 'harbour-light-auth', privProtocol: 'aes256r' as const, privKey: 'harbour-light-priv' },
    },
  ]
  const keys = { auth: 'sha', authKey: Buffer.alloc(20, 1), priv: 'aes256r', privKey: Buffer.alloc(32, 2) } as const
  const clock = { boots: 1, time: 1 }
  const own = { id: Buffer.from('80001f8804', 'hex'), now: () => clock }
  const forged = (at: number) => {
    const engine = { id: Buffer.concat([own.id, Buffer.from([at])]), clock }
    const body = encodePdu({ type: pdu.trap2, id: 1, oids: [], settings: [] })
    return encodeV3({ id: at, user: 'traps', engine, keys, context: '', body, final: true })
  }
  const messages = Array.from({ length: 12 }, (_, at) => forged(at))
  const alloc = jest.spyOn(Buffer, 'alloc')
  const outcomes = messages.map(one => receiveV3(one, logins, own, seenEngines()))
  const stretched = alloc.mock.calls.filter(([size]) => size === 1 << 20).length
  alloc.mockRestore()
  expect(outcomes).toEqual(messages.map(() => ({ refused: 'digest' })))
  expect(stretched).toBeLessThanOrEqual(1)
})

test('a message of version 3 that was heard long before is not fresh; invented engines take no memory without end', () => {
  const engines = seenEngines()
  const id = Buffer.from('8000000001020304', 'hex')
  expect(engines.isFresh(id, { boots: 3, time: 1000 })).toBe(true)
  expect(engines.isFresh(id, { boots: 3, time: 860 })).toBe(true)
  expect(engines.isFresh(id, { boots: 3, time: 849 })).toBe(false)
  expect(engines.isFresh(id, { boots: 2, time: 5000 })).toBe(false)
  expect(engines.isFresh(id, { boots: 4, time: 0 })).toBe(true)
  for (let at = 0; at < 5000; at++) engines.isFresh(Buffer.from(String(at).padStart(8)), { boots: 1, time: 1 })
  expect(engines.isFresh(id, { boots: 1, time: 0 })).toBe(true)
})

import * as z from 'zod'
import { f } from '@/model/fields'
import { field, rule, section, single } from '@/model/kind'
import { checkSingle, inheritedFrom, type Layer, merged, ownFields, valuesOf } from '@/model/single'
import { radio } from '@/model/wifi/radio'

const fields = z.strictObject({
  mode: f.choice(['off', 'server', 'client']).default('off'),
  key: f.secret(4, 16).optional(),
  peers: f.lines(f.ipv4()).default([]),
  least: f.int(1, 10).default(2),
  most: f.int(1, 10).default(8),
})
type Values = z.output<typeof fields>
const kind = single({
  id: 'test',
  area: 'test',
  fields,
  sections: [
    section('all', ['mode', 'least', 'most']),
    section('more', [
      field('key', { when: (value: Values) => value.mode !== 'off' }),
      field('peers', { when: (value: Values) => value.mode === 'client' }),
    ]),
  ],
  rules: [rule('tooLarge', 'least', (value: Values) => value.least <= value.most)],
})
const network = { scope: 'network', id: 1, name: 'House' } as const
const lobby = { scope: 'group', id: 3, name: 'Lobby' } as const
const layers: Layer[] = [
  { data: { least: 4 }, from: lobby },
  { data: { least: 5, mode: 'client', key: 'secret' }, from: network },
]

test('the nearest scope that sets a field wins, field by field, and last its default', () => {
  expect(inheritedFrom(kind, layers)).toEqual({
    mode: { value: 'client', from: network },
    key: { value: 'secret', from: network },
    peers: { value: [], from: { scope: 'default' } },
    least: { value: 4, from: lobby },
    most: { value: 8, from: { scope: 'default' } },
  })
  expect(inheritedFrom(kind, [])).not.toHaveProperty('key')
})

test('what is absent stays absent: no default fills it in', () => {
  expect(ownFields(kind).parse({})).toEqual({})
  expect(ownFields(kind).parse({ least: 3 })).toEqual({ least: 3 })
  expect(ownFields(kind).safeParse({ more: 1 }).success).toBe(false)
})

test('rules see the values that will hold, and only the own ones come back', () => {
  const above = valuesOf(inheritedFrom(kind, layers))
  expect(checkSingle(kind, { most: 5 }, above)).toEqual({ data: { most: 5 } })
  expect(checkSingle(kind, { most: 3 }, above)).toMatchObject({ fields: { least: 'tooLarge' } })
  expect(checkSingle(kind, { most: 3, least: 3 }, above)).toEqual({ data: { most: 3, least: 3 } })
  expect(checkSingle(kind, { least: 11 }, above)).toMatchObject({ fields: { least: 'tooLarge' } })
  expect(checkSingle(kind, { strange: 1 }, above)).toMatchObject({ fields: { strange: 'unknownField' } })
  expect(checkSingle(kind, { peers: ['10.0.0.1 '] }, above)).toEqual({ data: { peers: ['10.0.0.1'] } })
})

test('an inherited field that does not exist with the own values is left out; an own one is refused', () => {
  const above = valuesOf(inheritedFrom(kind, layers))
  expect(merged(kind, { mode: 'off' }, above)).toEqual({ mode: 'off', least: 4, most: 8 })
  expect(checkSingle(kind, { mode: 'off' }, above)).toEqual({ data: { mode: 'off' } })
  expect(checkSingle(kind, { mode: 'off', key: 'another' }, above)).toMatchObject({ fields: { key: 'notUsed' } })
})

test('a secret that is not at hand counts as there', () => {
  const above = { ...valuesOf(inheritedFrom(kind, layers)), key: { set: true } }
  expect(checkSingle(kind, { least: 1 }, above, { kept: ['key'] })).toEqual({ data: { least: 1 } })
})

test.each([
  [{ channel2g: -1 }, { channel2g: 'tooSmall' }],
  [{ channel2g: 0 }, {}],
  [{ channel2g: 1 }, {}],
  [{ channel2g: 13 }, {}],
  [{ channel2g: 14 }, { channel2g: 'tooLarge' }],
  [{ channel5g: 36 }, {}],
  [{ channel5g: 165 }, { width5g: 'channelWidth' }],
  [{ channel5g: 165, width5g: '20' }, {}],
  [{ channel5g: 52 }, {}],
  [{ channel5g: 37 }, { channel5g: 'channel5g' }],
  [{ channel6g: 1, width6g: '320' }, {}],
  [{ channel6g: 189, width6g: '320' }, {}],
  [{ channel6g: 193, width6g: '320' }, { width6g: 'channelWidth' }],
  [{ channel6g: 193, width6g: '160' }, {}],
  [{ width5g: '320' }, { width5g: 'notAllowed' }],
])('radio channels: %j gives %j', (own, expected) => {
  const checked = checkSingle(radio, own, valuesOf(inheritedFrom(radio, [])))
  expect('data' in checked ? {} : checked.fields).toEqual(expected)
})

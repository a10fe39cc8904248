import { placeOf } from '@/app/(console)/network/[networkId]/alerts/_parts/place'

const from = Date.UTC(2026, 10, 27, 9, 30, 42)
const alert = {
  type: 'logRule' as const,
  device: { id: 7, name: 'gw' },
  values: { rule: 'x', text: 'failed * "root" & more', severity: '4', facility: 'auth', from },
  recoveredAt: null,
}
const wayOf = (more: object = {}) => {
  const { href = '', ...place } = placeOf({ ...alert, ...more }, '3') ?? {}
  const [path, query] = href.split('?')
  return { ...place, path, query: Object.fromEntries(new URLSearchParams(query)) }
}

test('the alert of a log rule leads to its lines: of the device, by text and terms, from the first that counted', () => {
  expect(wayOf()).toEqual({
    ...{ needs: 'logs', act: 'logs', path: '/network/3/insight/logs' },
    query: {
      ...{ like: 'failed * "root" & more', severity: '4', facility: 'auth', device: '7' },
      from: '2026-11-27T09:30:00Z',
    },
  })
})

test('what the rule leaves open is no filter, and what is over ends with its minute', () => {
  const values = { rule: 'x', severity: 'any', facility: 'kern', from }
  expect(wayOf({ values, device: null, recoveredAt: from + 60_000 }).query).toEqual({
    ...{ facility: 'kern', from: '2026-11-27T09:30:00Z', to: '2026-11-27T09:31:00Z' },
  })
})

test.each(['clientConnected', 'clientDisconnected'])(
  '%s leads to the client, whether or not its device is there',
  type => {
    const values = { client: 'phone', place: 'ap1', mac: '5c:cb:99:4e:21:b7' }
    for (const device of [alert.device, null])
      expect(wayOf({ type, values, device })).toEqual({
        ...{ needs: 'clients', act: 'client', path: '/network/3/clients/detail', query: { id: values.mac } },
      })
    // One that was raised before its MAC was told.
    expect(wayOf({ type, values: { client: 'phone', place: 'ap1' } })).toMatchObject({ act: 'device' })
  },
)

test('what guests and messages are in want of is looked after at its page, without a device', () => {
  const places = (['guestGuessing', 'guestSmsFailed', 'noticeFailed'] as const).map(type =>
    placeOf({ type, values: {}, device: null, recoveredAt: null }, '3'),
  )
  expect(places).toEqual([
    { act: 'guests', needs: 'guests', href: '/network/3/guests/status' },
    { act: 'sms', needs: 'settings_profiles', href: '/network/3/settings/profiles?tab=sms' },
    { act: 'notices', needs: 'organization_notices', href: '/network/3/alerts/notice/form' },
  ])
})

test('other alerts lead where they did', () => {
  expect(wayOf({ type: 'portDown' })).toMatchObject({ act: 'device', path: '/network/3/devices/detail' })
  expect(placeOf({ ...alert, type: 'logRuleQuiet', device: null }, '3')).toBeUndefined()
})

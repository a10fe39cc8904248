import { authoritiesOf, type BuiltInRole } from '@/model/authority'
import { email } from '@/model/email'
import { accountName, company, seesPerson, userName, whyNotChange, within } from '@/model/users'

const problem = (shape: typeof accountName | typeof userName | typeof email | typeof company, text: string) => {
  const parsed = shape.safeParse(text)
  return parsed.success ? `= ${parsed.data}` : parsed.error.issues[0]?.message
}

describe('A6, the name to sign in with: 1 to 64 letters and digits', () => {
  test.each([
    ['a', '= a'],
    ['7', '= 7'],
    [' Marta1 ', '= marta1'],
    ['x'.repeat(64), `= ${'x'.repeat(64)}`],
    ['x'.repeat(65), 'tooLong'],
    ['', 'required'],
    ['  ', 'required'],
    ['marta reis', 'alphanumeric'],
    ['marta.reis', 'alphanumeric'],
    ['märta', 'alphanumeric'],
    ['marta\u200b', 'alphanumeric'],
    ['<b>x</b>', 'alphanumeric'],
  ])('%j: %s', (text, answer) => expect(problem(accountName, text)).toBe(answer))
})

describe('A7, what somebody is called: up to 64, not only digits, not only letters', () => {
  test.each([
    ['marta1', '= marta1'],
    ['Marta Reis', '= Marta Reis'],
    [' Ana-Lúcia ', '= Ana-Lúcia'],
    [`${'x'.repeat(63)}1`, `= ${'x'.repeat(63)}1`],
    [`${'x'.repeat(64)}1`, 'tooLong'],
    ['marta', 'userNameKind'],
    ['Μάρτα', 'userNameKind'],
    ['123', 'userNameKind'],
    ['', 'required'],
    ['a\u00001', 'controlCharacters'],
    ['a\ud8001', 'controlCharacters'],
    ['<script>alert(1)</script>', '= <script>alert(1)</script>'],
  ])('%j: %s', (text, answer) => expect(problem(userName, text)).toBe(answer))
})

describe('A8, an address: its pattern, hidden characters stripped', () => {
  test.each([
    ['ana@quay.example', '= ana@quay.example'],
    [' ana\u200b@\u202equay.exam\u00adple\u00a0', '= ana@quay.example'],
    [`${'a'.repeat(64)}@quay.example`, `= ${'a'.repeat(64)}@quay.example`],
    [`${'a'.repeat(65)}@quay.example`, 'emailFormat'],
    ['ana@quay', 'emailFormat'],
    ['ana', 'emailFormat'],
    ['ana@quay.example\r\nBcc: all@quay.example', 'emailFormat'],
  ])('%j: %s', (text, answer) => expect(problem(email, text)).toBe(answer))
})

describe('A14, a company: 0 to 128', () => {
  test.each([
    ['', '= '],
    ['x'.repeat(128), `= ${'x'.repeat(128)}`],
    ['x'.repeat(129), 'tooLong'],
    ['a\u0007', 'controlCharacters'],
  ])('%j: %s', (text, answer) => expect(problem(company, text)).toBe(answer))
})

type Networks = 'all' | ReadonlySet<number>
const is = (
  id: number,
  role: BuiltInRole,
  networks: Networks,
  { createdBy }: { createdBy: number } = { createdBy: 1 },
) => ({
  ...{ id, role, networks, createdBy, underDefault: createdBy === 1 },
  authorities: authoritiesOf(role),
})
const owner = is(1, 'superAdministrator', 'all', { createdBy: 0 })
const platform = is(2, 'platformAdministrator', 'all')
const house = is(3, 'networkAdministrator', new Set([1, 2]))

describe('who may change whom follows rank, networks and who made them', () => {
  test.each([
    ['oneself', owner, owner, 'self'],
    ['the super administrator', platform, owner, 'superAdministrator'],
    ['a platform administrator, by the super administrator', owner, platform, undefined],
    ['who the super administrator made, by a platform administrator', platform, house, 'underDefault'],
    ['who they made', platform, is(9, 'networkAdministrator', new Set([1]), { createdBy: 2 }), undefined],
    ['who another platform administrator made', platform, is(9, 'guestEditor', 'all', { createdBy: 8 }), undefined],
    ['one whose maker is gone', platform, is(9, 'platformAdministrator', 'all', { createdBy: 0 }), undefined],
    ['a guest editor of an own network', house, is(9, 'guestEditor', new Set([2]), { createdBy: 3 }), undefined],
    [
      'a guest editor of other networks, too',
      house,
      is(9, 'guestEditor', new Set([2, 5]), { createdBy: 2 }),
      'networks',
    ],
    ['a guest editor of all networks', house, is(9, 'guestEditor', 'all', { createdBy: 2 }), 'networks'],
    ['their like', house, is(9, 'networkAdministrator', new Set([1]), { createdBy: 2 }), 'roleAbove'],
    [
      'anybody, by who only reads',
      is(4, 'platformReadOnly', 'all'),
      is(9, 'guestEditor', 'all', { createdBy: 2 }),
      'roleAbove',
    ],
  ] as const)('%s', (_what, actor, person, why) => expect(whyNotChange(actor, person)).toBe(why))

  test.each([
    ['everybody, by who enters all networks', platform, owner, true],
    ['oneself', house, house, true],
    ['who works in own networks alone', house, is(9, 'guestEditor', new Set([1])), true],
    ['who works elsewhere, too', house, is(9, 'guestEditor', new Set([1, 5])), false],
    ['who enters all', house, platform, false],
    ['who enters none', house, is(9, 'guestEditor', new Set<number>()), false],
    ['whom one made oneself', house, is(9, 'guestEditor', new Set<number>(), { createdBy: 3 }), true],
  ] as const)('%s is seen or not', (_what, viewer, person, seen) => expect(seesPerson(viewer, person)).toBe(seen))

  test('networks lie within others', () => {
    expect([within('all', 'all'), within(new Set([1]), 'all'), within(new Set([1]), new Set())]).toEqual([
      true,
      false,
      true,
    ])
  })
})

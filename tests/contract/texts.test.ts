import type * as z from 'zod'
import { type Kind, metaOf } from '@/model/kind'
import { maintenance } from '@/model/notify/maintenance'
import { noticeTarget } from '@/model/notify/target'
import { type AnyKindId, anyKindIds, loadKind } from '@/model/registry'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'

// Texts that are kept stand in lists, logs, mails and in what is written for devices, where secrets are marked by
// characters of private use. So none of them is taken anywhere, nor any that ends a line.

const refused = ['\u0000', '\n', '\u0085', '\uE000', '\uE001', '\u{F0000}', '\uD800']
/** Something that nearly every free text takes. */
const samples = ['abcdefgh', 'Zq4#mWx9', 'a@example.org', 'https://example.org/a', '-----BEGIN X', 'lan']

type Definition = {
  type: string
  innerType?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  options?: z.ZodType[]
  shape?: Record<string, z.ZodType>
}
type Leaf = { path: string; type: z.ZodType }

function leaves(type: z.ZodType, path: string): Leaf[] {
  const { innerType, element, options, shape, valueType } = type.def as unknown as Definition
  if (shape) return Object.entries(shape).flatMap(([key, inner]) => leaves(inner, `${path} ${key}`))
  if (options) return options.flatMap(one => leaves(one, path))
  const inner = innerType ?? element ?? valueType
  return inner ? leaves(inner, path) : [{ path, type }]
}

/** What a text field takes of the refused characters: where it lets one through as it is. */
function takes({ type }: Leaf): boolean {
  const sample = samples.find(one => type.safeParse(one).success)
  if (sample === undefined) return false
  // What people write has lines, and nothing else of these.
  const kept = metaOf(type)?.widget === 'prose' ? refused.filter(one => one !== '\n') : refused
  return kept.some(character => {
    const parsed = type.safeParse(`${sample.slice(0, 3)}${character}${sample.slice(3)}`)
    return parsed.success && typeof parsed.data === 'string' && parsed.data.includes(character)
  })
}

/** Sealed and shown to nobody: whatever a device or a server wants. */
const secrets = /(community|Community|Key|password|passphrase|communities|secret|Pwd|Password)$/
/** Files, made clean when they are read, and what is only compared with what is there: keys of things that exist, codes. */
const compared = new Set([
  ...['account', 'userName', 'role', 'authorities', 'names', 'ports', 'segments', 'items', 'id', 'options', 'ip', 'to'],
  ...['token', 'repeat', 'code', 'codeToken', 'recoveryCode', 'ssoToken', 'serverId', 'lang', 'browserDomain'],
  ...[
    'SAMLResponse',
    'RelayState',
    'metadata',
    'certificate',
    'key',
    'file',
    'text',
    'kind',
    'salt',
    'iv',
    'tag',
    'body',
  ],
])
const whole = new Set(['backups/verify name', 'backups/restore name', 'feedback/attach name', 'ldap/test name'])
/** Judged field by field by its kind, see below. */
const byKind =
  /^(alerts\/(targets\/(save|test)|maintenance\/save) fields|settings\/\w+\/save|guests\/(policy|page)\/save|guests\/ads\/save \w+|radius\/staff\/save people|system-settings\/save|wizard\/ssid|networks\/import file documents fields)$/
const isOpen = (path: string) =>
  !secrets.test(path) && !byKind.test(path) && !whole.has(path) && !compared.has(path.split(' ').at(-1) ?? '')

test('no call keeps a text with control characters or the marks of secrets', () => {
  const found = (calls as readonly AnyCall[])
    .filter(call => call.changes)
    .flatMap(call => leaves(call.input as z.ZodType, call.path).filter(takes))
    .map(({ path }) => path)
  expect(found.filter(isOpen)).toEqual([])
})

/** Kinds that calls of their own keep. */
const besides: Record<string, Kind> = { noticeTarget, maintenance }

test.each([...anyKindIds, ...Object.keys(besides)])(
  'no field of %s takes control characters or the marks of secrets',
  async id => {
    const kind = besides[id] ?? (await loadKind(id as AnyKindId))
    const found = Object.entries(kind.fields.shape as Record<string, z.ZodType>)
      // Certificates and metadata: of several lines, and never written for a device.
      .filter(([, type]) => metaOf(type)?.widget !== 'block')
      .flatMap(([key, type]) => leaves(type, key).filter(takes))
    expect(found.map(({ path }) => path)).toEqual([])
  },
)

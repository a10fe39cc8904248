import { X509Certificate } from 'node:crypto'
import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { fail, failFields, requirePrivate } from '@/server/kernel/fail'
import type { Runtime } from '@/server/kernel/runtime'
import { checkPlace, secretAfter, secretInput } from '@/server/kernel/secret-input'
import { roleLineCalls } from '../role-line-calls'
import { certificatesOf, type Directory, directoryShape, readDirectory, saveDirectory } from './directory'
import { directoryReason, personOf } from './people'

const reading = { tag: 'users', scope: 'organization', authority: 'organization_directory', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_directory_edit',
  changes: true,
  changelog: 'entry',
  send: 'each',
} as const

const shown = ({ bindPassword, ...rest }: Directory) => ({
  ...rest,
  ...(bindPassword && { bindPassword: { set: true as const } }),
})

const get = call({
  ...reading,
  path: 'ldap/get',
  input: z.strictObject({}),
  /** {directory: null} while none is set. */
  run({ runtime }) {
    const found = readDirectory(runtime)
    return { directory: found ? shown(found) : null }
  },
})

const input = directoryShape.extend({ bindPassword: secretInput })

function directoryOf(runtime: Runtime, { bindPassword, ...rest }: z.output<typeof input>): Directory {
  const before = readDirectory(runtime)
  const next = { ...rest, bindPassword: secretAfter(bindPassword, before?.bindPassword ?? '') }
  checkPlace(bindPassword, 'bindPassword', [before, next], ['host', 'port', 'security', 'ca', 'bindDn'])
  if (next.bindDn !== '' && next.bindPassword === '') failFields({ bindPassword: 'required' })
  return next
}

/** As the changelog says it: no secret, and certificates by their fingerprints. */
function told(directory: Directory | undefined): Record<string, unknown> {
  if (!directory) return {}
  const { ca, bindPassword, ...rest } = directory
  const certificates = certificatesOf(ca).map(pem => new X509Certificate(pem).fingerprint256)
  return { ...rest, certificates: certificates.join(', '), bindPassword: bindPassword && '•••' }
}

function changed(before: Directory | undefined, next: Directory): Record<string, [unknown, unknown]> {
  const [was, is] = [told(before), told(next)]
  const keys = Object.keys(is).filter(key => was[key] !== is[key] && (before || is[key] !== ''))
  return Object.fromEntries(keys.map(key => [key, [was[key] ?? null, is[key]]]))
}

const save = call({
  ...changing,
  path: 'ldap/save',
  send: 'once',
  input,
  run(context, input) {
    if (typeof input.bindPassword === 'string') requirePrivate(context)
    const { runtime, log } = context
    const next = directoryOf(runtime, input)
    runtime.db.transaction(() => {
      const before = readDirectory(runtime)
      const action = before ? 'edit' : 'add'
      log({ action, object: 'directory', name: next.host, fields: changed(before, next) })
      saveDirectory(runtime, next)
    })
    return { directory: shown(next) }
  },
})

const test = call({
  ...changing,
  path: 'ldap/test',
  input: input.extend({ name: z.string().trim().min(1, 'required').max(64, 'tooLong') }),
  /** Looks for one person by these settings, without saving them; {person: null} where there is none, or two. */
  async run(context, { name, ...input }) {
    if (typeof input.bindPassword === 'string') requirePrivate(context)
    const directory = directoryOf(context.runtime, input)
    const person = await personOf(directory, name).catch(error =>
      fail('directoryFailed', { detail: directoryReason(error, directory) }),
    )
    if (!person) return { person: null }
    const { dn, names, email, groups } = person
    return { person: { dn, name: names[0] ?? '', email, groups } }
  },
})

export const directoryCalls = [get, save, test, ...roleLineCalls('ldap', 'organization_directory')] as const

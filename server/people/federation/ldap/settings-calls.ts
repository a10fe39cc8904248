import * as z from 'zod'
import { call } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { judgeOwn, saveOwn } from '@/server/kernel/own-settings'
import { secretInput } from '@/server/kernel/secret-input'
import { roleLineCalls } from '../role-line-calls'
import { type Directory, directorySettings, directoryShape, readDirectory, wholeDirectory } from './directory'
import { directoryReason, personOf } from './people'

const reading = { tag: 'users', scope: 'organization', authority: 'organization_directory', changes: false } as const
const changing = {
  tag: 'users',
  scope: 'organization',
  authority: 'organization_directory_edit',
  changes: true,
  topics: ['directory'],
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

const save = call({
  ...changing,
  path: 'ldap/save',
  send: 'once',
  input,
  run(context, fields) {
    saveOwn(context, directorySettings, { fields, lenient: true })
    const found = readDirectory(context.runtime)
    return { directory: found ? shown(found) : null }
  },
})

const test = call({
  ...changing,
  path: 'ldap/test',
  input: input.extend({ name: z.string().trim().min(1, 'required').max(64, 'tooLong') }),
  /** Looks for one person by these settings, without saving them; {person: null} where there is none, or two. */
  async run(context, { name, ...input }) {
    const { next } = judgeOwn(context, directorySettings, { fields: input, lenient: true })
    const directory = wholeDirectory(next)
    const person = await personOf(directory, name).catch(error =>
      fail('directoryFailed', { detail: directoryReason(error, directory) }),
    )
    if (!person) return { person: null }
    const { dn, names, email, groups } = person
    return { person: { dn, name: names[0] ?? '', email, groups } }
  },
})

export const directoryCalls = [get, save, test, ...roleLineCalls('ldap', 'organization_directory')] as const

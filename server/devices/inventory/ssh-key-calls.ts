import * as z from 'zod'
import { insertCredential } from '@/server/devices/adoption/adopt'
import { credentialName, loginUser } from '@/server/devices/adoption/credential-input'
import { openCredential } from '@/server/devices/link/credential-store'
import { failDevice } from '@/server/devices/link/errors'
import { call } from '@/server/kernel/call'
import { failFields } from '@/server/kernel/fail'
import { checkName, findCredential } from './credential-calls'

/** A public line is one line of printable ASCII; names may be anything. */
const commentOf = (name: string) => `lanward-${name.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-')}`

const make = call({
  path: 'system-settings/ssh',
  topics: ['devices', 'mail'],
  tag: 'devices',
  scope: 'network',
  authority: 'devices_logins_edit',
  changes: true,
  changelog: 'entry',
  send: 'once',
  input: z.strictObject({ name: credentialName, user: loginUser }),
  /**
   * Makes a pair of keys and stores it as credentials of the network. `publicKey` is the line for devices; the private
   * half is given to nobody.
   */
  async run(context, { name, user }) {
    const { runtime, network, actor, now } = context
    const { newKeyPair } = await import('@/server/drivers/ssh/key-pair')
    const { privateKey, publicKey } = newKeyPair(commentOf(name))
    const id = runtime.db.transaction(() => {
      checkName(context, name)
      const owner = { organization: actor.organization, network: network.id }
      const made = insertCredential(runtime, owner, { type: 'ssh', user, privateKey }, name, now)
      context.log({ action: 'add', object: 'credential', name })
      return made
    })
    return { id, publicKey }
  },
})

const show = call({
  path: 'credentials/public-key/get',
  tag: 'devices',
  scope: 'network',
  authority: 'devices_logins',
  changes: false,
  input: z.strictObject({ id: z.int().min(1) }),
  /** The public half of the key of stored credentials, as the line for devices. */
  async run(context, { id }) {
    const login = openCredential(context.runtime, findCredential(context, id))
    if (login.type !== 'ssh' || login.privateKey === undefined) return failFields({ id: 'notAllowed' })
    const { publicLine } = await import('@/server/drivers/ssh/key-pair')
    try {
      return { publicKey: publicLine(login.privateKey, login.passphrase) }
    } catch (error) {
      return failDevice(error)
    }
  },
})

export const sshKeyCalls = [make, show] as const

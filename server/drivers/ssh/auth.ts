import ssh2, { type AnyAuthMethod, type AuthHandlerMiddleware } from 'ssh2'
import { type Credential, DeviceError } from '../driver'

export type AuthMethod = 'none' | 'publickey' | 'password' | 'keyboard-interactive'
type SshCredential = Extract<Credential, { type: 'ssh' }>

function plan({ user, password, privateKey, passphrase }: SshCredential): AnyAuthMethod[] {
  const methods: AnyAuthMethod[] = [{ type: 'none', username: user }]
  if (privateKey) methods.push({ type: 'publickey', username: user, key: readKey(privateKey, passphrase) })
  if (password === undefined) return methods
  let asked = false
  methods.push({ type: 'password', username: user, password })
  methods.push({
    type: 'keyboard-interactive',
    username: user,
    // The password answers one hidden prompt, once: an echoed or second one asks for something else.
    prompt: (_name, _instructions, _language, prompts, answer) => {
      const mine = !asked && prompts.length === 1 && prompts[0]?.echo === false
      asked = true
      answer(prompts.map(() => (mine ? password : '')))
    },
  })
  return methods
}

/** Tries the methods in order, skipping those the device does not offer (RFC 4252, 5.1). */
export function authenticator(credential?: SshCredential) {
  const left = credential ? plan(credential) : []
  const tried: AuthMethod[] = []
  let offered: string[] = []
  const handler: AuthHandlerMiddleware = (methodsLeft, _partial, next) => {
    offered = methodsLeft ?? offered
    for (let method = left.shift(); method; method = left.shift()) {
      const type = method.type as AuthMethod
      if (type !== 'none' && methodsLeft && !methodsLeft.includes(method.type)) continue
      // A password that was refused is refused again, and counts twice where the device locks an account.
      if (type === 'keyboard-interactive' && tried.includes('password')) continue
      tried.push(type)
      return next(method)
    }
    next(false as unknown as AnyAuthMethod)
  }
  return {
    handler,
    used: (): AuthMethod => tried.at(-1) ?? 'none',
    /** Names the methods tried, for the person who looks closer. */
    explain: (error: DeviceError): DeviceError => {
      if (error.reason !== 'credentials') return error
      const sent = tried.filter(method => method !== 'none').join(', ') || 'nothing'
      return new DeviceError('credentials', `sent: ${sent}; the device accepts: ${offered.join(', ') || 'nothing'}`)
    },
  }
}

/** A private key in OpenSSH or PEM form; `credentials` when it cannot be read or its passphrase is wrong. */
export function readKey(privateKey: string, passphrase?: string) {
  const key = ssh2.utils.parseKey(privateKey, passphrase)
  if (key instanceof Error) throw new DeviceError('credentials', `the private key cannot be read: ${key.message}`)
  const single = Array.isArray(key) ? key[0] : key
  if (!single?.isPrivateKey()) throw new DeviceError('credentials', 'this is not a private key')
  return single
}

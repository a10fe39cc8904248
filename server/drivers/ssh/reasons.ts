import { DeviceError, isDeviceError, type Reason } from '../driver'

const codes: Record<string, Reason> = {
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
  EHOSTDOWN: 'noRoute',
  EADDRNOTAVAIL: 'noRoute',
  EACCES: 'noRoute',
  EPERM: 'noRoute',
  ENOTFOUND: 'noRoute',
  EAI_AGAIN: 'noRoute',
  EINVAL: 'noRoute',
  ETIMEDOUT: 'timeout',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
}

const messages: [RegExp, Reason][] = [
  [/authentication methods failed|too many authentication failures/i, 'credentials'],
  [/timed out|keepalive timeout/i, 'timeout'],
  [/no matching/i, 'unsupported'],
  [/connection lost|no response from server|not connected|disconnect/i, 'closed'],
]

/** The reason of an error that the socket or the SSH protocol raised. What nobody knows is an answer that breaks the protocol. */
export function sshError(cause: unknown): DeviceError {
  if (isDeviceError(cause)) return cause
  // Not by class: an error may come from another realm than this module's.
  const { code, level, message = String(cause) } = (cause ?? {}) as { code?: unknown; level?: string; message?: string }
  const known = typeof code === 'string' ? codes[code] : undefined
  const reason = known ?? messages.find(([pattern]) => pattern.test(message))?.[1]
  if (reason) return new DeviceError(reason, message, { cause })
  // A numeric code is the reason of an SSH_MSG_DISCONNECT (RFC 4253, 11.1): the device hung up and said why.
  if (typeof code === 'number') return new DeviceError('closed', message, { cause })
  return new DeviceError(level === 'client-socket' ? 'closed' : 'malformed', message, { cause })
}

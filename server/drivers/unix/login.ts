import { DeviceError } from '../driver'

/** One line in OpenSSH's public form. */
export const publicKey = (text: string): string => {
  const line = text.trim()
  if (!/^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp\d+) [A-Za-z0-9+/=]+( [ -~]*)?$/.test(line))
    throw new DeviceError('internal', 'this is no public key in OpenSSH form')
  return line
}
/** A password that fits on one line. */
export const password = (text: string): string => {
  // A line break would end the line that carries the password.
  if (text === '' || /\p{Cc}/u.test(text)) throw new DeviceError('internal', 'this password cannot be set')
  return text
}

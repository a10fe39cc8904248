import { type Actions, DeviceError } from '../driver'
import { quote } from '../shell'
import { blinkScript } from '../unix/leds'
import { password, publicKey } from '../unix/login'
import { clean } from '../unix/text'
import { type LinuxSession, script } from './observe'

async function must(session: LinuxSession, text: string): Promise<void> {
  const { code, stderr } = await script(session, text)
  if (code !== 0) throw new DeviceError(code === 3 ? 'unsupported' : 'commandFailed', clean(stderr) ?? `status ${code}`)
}

// The channel ends before the device does, so that the answer is an answer.
const rebootSoon = `(sleep 1; systemctl reboot 2>/dev/null || reboot) </dev/null >/dev/null 2>&1 &
exit 0`

const keyScript = (key: string) => `set -e
home=$(getent passwd "$(id -un)" 2>/dev/null | cut -d: -f6); home=\${home:-$HOME}
umask 077; mkdir -p "$home/.ssh"; file=$home/.ssh/authorized_keys; touch "$file"
grep -qxF ${quote(key)} "$file" || printf '%s\\n' ${quote(key)} >>"$file"`

/** Runs as the account itself, not as root: it is the account's own login that changes. */
async function setLogin(session: LinuxSession, login: { password?: string; publicKey?: string }): Promise<void> {
  if (login.publicKey) {
    const { code, stderr } = await session.ssh.exec("sh '-s'", { input: keyScript(publicKey(login.publicKey)) })
    if (code !== 0) throw new DeviceError('commandFailed', clean(stderr))
  }
  if (login.password === undefined) return
  const user = (await session.ssh.exec('id -un')).stdout.trim()
  await must(session, `printf '%s\\n' ${quote(`${user}:${password(login.password)}`)} | chpasswd`)
}

export const actions: Actions<LinuxSession> = {
  reboot: session => must(session, rebootSoon),
  locate: (session, seconds) => must(session, blinkScript(seconds)),
  setLogin,
}

import { type Actions, DeviceError } from '../driver'
import { quote } from '../shell'
import { blinkScript } from '../unix/leds'
import { password, publicKey } from '../unix/login'
import { clean } from '../unix/text'
import type { OpenwrtSession } from './session'

async function must({ ssh }: OpenwrtSession, text: string): Promise<void> {
  const { code, stderr } = await ssh.exec('sh -s', { input: text })
  if (code !== 0) throw new DeviceError(code === 3 ? 'unsupported' : 'commandFailed', clean(stderr) ?? `status ${code}`)
}

// dropbear reads root's keys from a folder of its own.
const keyScript = (key: string) => `
umask 077; file=/etc/dropbear/authorized_keys; mkdir -p /etc/dropbear; touch $file || exit 1
grep -qxF ${quote(key)} $file || printf '%s\\n' ${quote(key)} >>$file`

// busybox passwd asks twice. The words are printed by the shell itself and never stand in a process list.
const passwordScript = (secret: string) =>
  `printf '%s\\n%s\\n' ${quote(secret)} ${quote(secret)} | passwd root >/dev/null`

export const actions: Actions<OpenwrtSession> = {
  // The channel ends before the device does, so that the answer is an answer.
  reboot: session => must(session, '( sleep 1; reboot ) </dev/null >/dev/null 2>&1 &\nexit 0'),
  locate: (session, seconds) => must(session, blinkScript(seconds)),
  async setLogin(session, login) {
    if (login.publicKey) await must(session, keyScript(publicKey(login.publicKey)))
    if (login.password !== undefined) await must(session, passwordScript(password(login.password)))
  },
}

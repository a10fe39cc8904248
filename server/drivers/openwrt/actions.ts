import type { Actions } from '../actions'
import { DeviceError } from '../driver'
import { command, quote } from '../shell'
import { sshVantage } from '../tools/ssh-vantage'
import { guestActions } from '../unix/guests'
import { kicked, ubusKick } from '../unix/kick'
import { releaseScript } from '../unix/leases'
import { blinkScript } from '../unix/leds'
import { password, publicKey } from '../unix/login'
import { clean } from '../unix/text'
import { awayFolder, gateFiles, keptGuests } from './uci/files'
import type { OpenwrtSession } from './uci/session'

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

// One server for all networks; where its leases lie is an option.
const server = {
  files: '$(uci -q get dhcp.@dnsmasq[0].leasefile || echo /tmp/dhcp.leases)',
  stop: '/etc/init.d/dnsmasq stop',
  start: '/etc/init.d/dnsmasq start',
}

export const actions: Actions<OpenwrtSession> = {
  // The channel ends before the device does, so that the answer is an answer.
  reboot: session => must(session, '( sleep 1; reboot ) </dev/null >/dev/null 2>&1 &\nexit 0'),
  locate: (session, seconds) => must(session, blinkScript(seconds)),
  releaseLease: (session, lease) => must(session, releaseScript(lease, server)),
  kick: async ({ ssh }, macs) => kicked(await ssh.exec('sh -s', { input: ubusKick(macs) })),
  async setLogin(session, login) {
    if (login.publicKey) await must(session, keyScript(publicKey(login.publicKey)))
    if (login.password !== undefined) await must(session, passwordScript(password(login.password)))
  },
  vantage: ({ ssh }) => sshVantage(ssh),
  guests: guestActions({
    script: ({ ssh }: OpenwrtSession, text, args, timeoutMs) =>
      ssh.exec(command('sh', '-s', ...args), { input: text, timeoutMs }),
    lans: gateFiles.lans.path,
    kept: keptGuests,
    away: awayFolder,
  }),
}

import type { Actions } from '../actions'
import { DeviceError } from '../driver'
import { quote } from '../shell'
import { sshVantage } from '../tools/ssh-vantage'
import { answerOf } from '../unix/answer'
import { guestActions } from '../unix/guests'
import { hostapdCliKick, kicked } from '../unix/kick'
import { releaseScript } from '../unix/leases'
import { blinkScript } from '../unix/leds'
import { password, publicKey } from '../unix/login'
import { clean } from '../unix/text'
import { guestFolder, guestOwner, lansPath } from './firewall/gate-portal'
import { type LinuxSession, script } from './observe/observe'
import { keyActions } from './wifi/voucher-keys'

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
  const user = (await answerOf(session.ssh, 'id -un', { timeoutMs: 10_000 })).stdout.trim()
  await must(session, `printf '%s\\n' ${quote(`${user}:${password(login.password)}`)} | chpasswd`)
}

// Each of our networks has a server and a file of its own; the system's one is wherever its configuration says.
const servers = {
  files: `/var/lib/misc/lanward-*.leases /var/lib/misc/dnsmasq.leases /var/lib/dnsmasq/*.leases \\
  $(cat /etc/dnsmasq.conf /etc/dnsmasq.d/* 2>/dev/null | sed -n 's/^dhcp-leasefile=//p; s/^dhcp-lease-file=//p')`,
  stop: `unit=dnsmasq.service
case $f in /var/lib/misc/lanward-*.leases) unit=\${f#/var/lib/misc/lanward-}; unit=lanward-dhcp@\${unit%.leases}.service ;; esac
systemctl -q is-active "$unit" && systemctl stop "$unit"`,
  start: 'systemctl start "$unit"',
}

export const actions: Actions<LinuxSession> = {
  reboot: session => must(session, rebootSoon),
  locate: (session, seconds) => must(session, blinkScript(seconds)),
  releaseLease: (session, lease) => must(session, releaseScript(lease, servers)),
  kick: async (session, macs) => kicked(await script(session, hostapdCliKick(macs))),
  setLogin,
  keys: keyActions,
  vantage: ({ ssh, become }) => sshVantage(ssh, become),
  guests: guestActions({ script, lans: lansPath, kept: `${guestFolder}/guests`, owner: guestOwner, away: guestFolder }),
}

import { newMark, parseParts } from '../../unix/parts'
import { clean, lines } from '../../unix/text'
import { type LinuxSession, script } from '../observe/observe'
import { syslogPath } from '../system/syslog'
import { loginPath, ntpPath, zonePath } from '../system/system'
import type { File } from '../unmanaged/system'

/** What runs on a device and is not this manager's, as its files and tools say it. */
export type Unmanaged = {
  files: File[]
  /** Where /etc/localtime leads, and what /etc/timezone says. */
  zone: { link?: string; name?: string }
  hostname?: string
  /** sshd's effective answer to whether passwords are accepted. */
  passwords?: 'yes' | 'no'
  /** Tables of nftables: `inet filter`. */
  tables: string[]
  /** Interfaces that NetworkManager runs. */
  managed: string[]
  /** Time services that are not timesyncd. */
  clocks: string[]
  /** Files of ours that decide what the system's own would. */
  ours: string[]
}

const globs = [
  '/etc/systemd/network/*.network',
  '/etc/systemd/network/*.netdev',
  '/etc/systemd/network/*.network.d/*.conf',
  '/etc/network/interfaces',
  '/etc/network/interfaces.d/*',
  '/etc/netplan/*.yaml',
  '/etc/dnsmasq.conf',
  '/etc/dnsmasq.d/*',
  '/etc/hostapd/*.conf',
  '/etc/systemd/timesyncd.conf',
  '/etc/systemd/timesyncd.conf.d/*.conf',
  '/etc/rsyslog.conf',
  '/etc/rsyslog.d/*.conf',
]
const most = { files: 200, bytes: 65_536 } as const

const readScript = `exec 2>/dev/null
LC_ALL=C; export LC_ALL
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
mark=$1 n=0
part() { printf '\\n%s %s\\n' "$mark" "$1"; }
for f in ${globs.join(' ')}; do
  case $f in *lanward*) continue ;; esac
  [ -f "$f" ] && [ -r "$f" ] || continue
  n=$((n + 1)); [ $n -le ${most.files} ] || break
  part "$f"; head -c ${most.bytes} "$f"
done
part link; readlink /etc/localtime
part zone; head -c 100 /etc/timezone
part hostname; head -c 255 /etc/hostname
part ssh; sshd -T | grep -i '^passwordauthentication '
part tables; timeout 5 nft list tables | head -n 200
part managed; timeout 5 nmcli -t -f DEVICE,STATE device | sed -n 's/^\\(.*\\):connected$/\\1/p' | head -n 200
part clocks; for s in chrony chronyd ntp ntpd ntpsec openntpd; do systemctl -q is-active $s.service && echo $s; done
part ours; for f in ${[zonePath, ntpPath, syslogPath, loginPath].join(' ')}; do [ -e $f ] && echo $f; done
part end`

/** Files of other programs are shown to people: what is no text is left out of them. */
const readable = (text: string) => text.replace(/[^\P{Cc}\n\t]|[\uE000\uE001\uFFFD]/gu, '')

export async function readUnmanaged(session: LinuxSession): Promise<Unmanaged> {
  const mark = newMark()
  const parts = parseParts(await script(session, readScript, [mark], 30_000), mark)
  const [, passwords] = /^passwordauthentication (yes|no)\s*$/im.exec(parts.text('ssh') ?? '') ?? []
  const words = (name: string) => lines(parts.text(name)).flatMap(line => clean(line, 100) ?? [])
  return {
    files: parts.names('/').map(rest => ({ path: `/${rest}`, text: readable(parts.text(`/${rest}`) ?? '') })),
    zone: { link: clean(parts.text('link')), name: clean(parts.text('zone')) },
    hostname: clean(parts.text('hostname')),
    ...(passwords && { passwords: passwords.toLowerCase() as 'yes' | 'no' }),
    tables: words('tables').map(line => line.replace(/^table /, '')),
    managed: words('managed'),
    clocks: words('clocks'),
    ours: words('ours'),
  }
}

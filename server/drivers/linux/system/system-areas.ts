import type { NativeBlock, Warning } from '../../driver'
import { quote } from '../../shell'
import { lightScript } from '../../unix/leds'
import { unmarked } from '../../unix/secret'
import type { WarningCode } from '../../words'
import { type Area, blockPath } from '../area/area'
import { startFile } from '../area/drop-in'
import { ownFile } from '../area/rules-file'
import { unitPath } from '../base/oneshot'
import { type LinuxSession, script } from '../observe/observe'
import { agentPath, agentSecret, agentStart, agentUnit } from './snmp-agent'
import { certificateCheck, syslogCaPath, syslogPath, syslogSocket, syslogStart } from './syslog'
import {
  keysLogin,
  keysPath,
  ledsPath,
  ledsStart,
  loginPath,
  namePath,
  ntpPath,
  ntpStart,
  passwordPath,
  passwordSecret,
  zonePath,
} from './system'

const waitMs = 15_000

/** A shell line that is true once the file is in force; services take a moment. */
const proof =
  (path: string, code: WarningCode, line: (block: NativeBlock) => string): NonNullable<Area['verify']> =>
  async (session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]> => {
    const until = Date.now() + waitMs
    for (const block of blocks.filter(one => blockPath(one) === path))
      while ((await script(session, line(block), [], 10_000)).code !== 0) {
        if (Date.now() > until) return [{ code, kind: 'system', document: block.document }]
        await new Promise(wake => setTimeout(wake, 500))
      }
    return []
  }

/** A service of the system with a drop-in of ours; without it, it is as the system starts it. */
const follows = (path: string, unit: string) => `if [ -e ${path} ]; then serve restart ${unit} || return 1
elif systemctl -q is-enabled ${unit} 2>/dev/null; then serve try-restart ${unit} || return 1
else serve stop ${unit} || return 1; fi`

const kept = '/etc/lanward/timezone-before'

// The zone is a link of the system's: what it was is kept, and goes back with our file unless somebody else moved it since.
const settleZone = `if [ -e ${zonePath} ]; then
zone=
while IFS= read -r one; do if [ -f "/usr/share/zoneinfo/$one" ]; then zone=$one; break; fi; done <${zonePath}
[ -n "$zone" ] || { echo "the device does not know the time zone $(head -n 1 ${zonePath})" >&2; return 1; }
if [ ! -d ${kept} ]; then
rm -rf ${kept}.new && mkdir ${kept}.new || return 1
for f in localtime timezone; do
[ ! -e /etc/$f ] && [ ! -L /etc/$f ] || cp -a /etc/$f ${kept}.new/$f || return 1
done
mv -T ${kept}.new ${kept} || return 1
fi
echo "$zone" >${kept}/ours || return 1
ln -sfn "/usr/share/zoneinfo/$zone" /etc/localtime.lanward && mv -fT /etc/localtime.lanward /etc/localtime || return 1
[ ! -e ${kept}/timezone ] || { echo "$zone" >/etc/timezone.lanward && chmod 644 /etc/timezone.lanward && mv -fT /etc/timezone.lanward /etc/timezone; } || return 1
elif [ -d ${kept} ]; then
if [ "$(readlink /etc/localtime)" = "/usr/share/zoneinfo/$(cat ${kept}/ours)" ]; then
for f in localtime timezone; do
if [ -e ${kept}/$f ] || [ -L ${kept}/$f ]; then cp -a ${kept}/$f /etc/$f.lanward && mv -fT /etc/$f.lanward /etc/$f || return 1
else rm -f /etc/$f; fi
done
fi
rm -rf ${kept}
fi
# They hold the zone that they were started with.
[ "$mode" = boot ] || systemctl try-restart cron.service rsyslog.service 2>/dev/null || :`

export const zoneArea: Area = {
  files: [ownFile(zonePath, '644')],
  settle: () => [settleZone],
  verify: proof(zonePath, 'timeZoneDown', ({ text }) => {
    const files = text
      .trim()
      .split('\n')
      .map(name => quote(`/usr/share/zoneinfo/${name}`))
    return `(for one in ${files.join(' ')}; do
[ ! -f "$one" ] || [ "$(readlink -f /etc/localtime)" != "$(readlink -f "$one")" ] || exit 0
done; exit 1)`
  }),
}

const nameBefore = '/etc/lanward/hostname-before'

// What it was is kept and goes back with our file, unless somebody else has changed it since. A name that nothing
// resolves would make sudo wait and complain.
const settleName = `name() { printf '%s\\n' "$1" >/etc/hostname.lanward && chmod 644 /etc/hostname.lanward && mv -f /etc/hostname.lanward /etc/hostname && hostname "$1"; }
sed -i '/ # lanward$/d' /etc/hosts
if [ -e ${namePath} ]; then
[ -e ${nameBefore} ] || { hostname >${nameBefore}.new && mv -f ${nameBefore}.new ${nameBefore}; } || return 1
name "$(cat ${namePath})" && cp ${namePath} ${nameBefore}-ours || return 1
getent hosts "$(hostname)" >/dev/null || echo "127.0.1.1 $(hostname) # lanward" >>/etc/hosts
elif [ -e ${nameBefore} ]; then
if [ "$(cat /etc/hostname)" = "$(cat ${nameBefore}-ours)" ]; then name "$(cat ${nameBefore})" || return 1; fi
rm -f ${nameBefore} ${nameBefore}-ours
fi
# They hold the name that they were started with.
[ "$mode" = boot ] || systemctl try-restart rsyslog.service snmpd.service 2>/dev/null || :`

export const nameArea: Area = {
  files: [ownFile(namePath, '644')],
  settle: () => [settleName],
  verify: proof(namePath, 'nameDown', ({ text }) => `[ "$(hostname)" = ${quote(text.trim())} ]`),
}

export const ntpArea: Area = {
  files: [ownFile(ntpPath, '644'), ownFile(startFile(ntpStart), '644')],
  settle: () => [follows(ntpPath, 'systemd-timesyncd.service')],
  verify: proof(ntpPath, 'ntpDown', () => 'systemctl -q is-active systemd-timesyncd.service'),
}

// Without its socket it runs and hears nothing; a system may have none.
const syslogRuns = proof(
  syslogPath,
  'syslogDown',
  () => `systemctl -q is-active rsyslog.service && {
systemctl -q is-active syslog.socket || [ "$(systemctl show --property=LoadState --value syslog.socket)" = not-found ]; }`,
)

/** The server's certificate, as the device sees it; asked once, since a refusal does not pass by itself. */
async function syslogRefused(session: LinuxSession, blocks: readonly NativeBlock[]): Promise<Warning[]> {
  const trusted = blocks.find(block => blockPath(block) === syslogCaPath)
  const line = trusted && certificateCheck(trusted.text)
  const { code, stderr } = line ? await script(session, line, [], 20_000) : { code: 0, stderr: '' }
  return code === 0
    ? []
    : [{ code: 'syslogRefused', kind: 'system', document: 'system', values: { error: stderr.trim().slice(0, 200) } }]
}

export const syslogArea: Area = {
  files: [
    ownFile(syslogPath, '644'),
    ownFile(syslogCaPath, '644'),
    ownFile(startFile(syslogStart), '644'),
    ownFile(syslogSocket, '644'),
  ],
  settle: () => [
    // An open socket would start it again with the next line of the log.
    `[ -e ${syslogPath} ] || systemctl -q is-enabled rsyslog.service 2>/dev/null || serve stop syslog.socket 2>/dev/null
[ "$mode" = boot ] || [ ! -e ${syslogPath} ] || rsyslogd -N1 >/dev/null || return 1
${follows(syslogPath, 'rsyslog.service')}`,
  ],
  verify: async (session, blocks) => [
    ...(await syslogRuns(session, blocks)),
    ...(await syslogRefused(session, blocks)),
  ],
}

/** Sessions that are open stay open. */
const settleLogin = `if [ "$mode" != boot ]; then
mkdir -p /run/sshd && sshd -t || return 1
systemctl try-reload-or-restart ssh.service || return 1
fi`

export const loginArea: Area = {
  files: [ownFile(loginPath, '644')],
  settle: () => [settleLogin],
  verify: proof(loginPath, 'loginDown', ({ text }) => {
    const wanted = /^PasswordAuthentication (yes|no)$/m.exec(text)?.[1] ?? 'no'
    return `sshd -T | grep -qix ${quote(`passwordauthentication ${wanted}`)}`
  }),
}

// Ours names where sshd looks as it comes; a device that says otherwise would not take its own keys any more.
const elsewhere = `if [ -e ${keysLogin} ] && grep -rihE '^[[:space:]]*AuthorizedKeysFile[[:space:]]' /etc/ssh/sshd_config /etc/ssh/sshd_config.d \\
  | grep -viE 'AuthorizedKeysFile[[:space:]]+"?\\.ssh/authorized_keys"?([[:space:]]|$)'; then
echo "another file of the device says where SSH keys are" >&2; return 1; fi`

export const keysArea: Area = {
  files: [ownFile(keysPath, '644'), ownFile(keysLogin, '644')],
  settle: () => [elsewhere, settleLogin],
  verify: proof(keysLogin, 'loginDown', ({ text }) => {
    const account = /^Match User (.*)$/m.exec(text)?.[1] ?? ''
    return `sshd -T -C user=${quote(account)},host=localhost,addr=127.0.0.1 | grep -qF ${quote(keysPath)}`
  }),
}

const passwordBefore = '/etc/lanward/password-before'

// What the password was is kept, as its hash, and goes back with our file unless somebody else has changed it since.
const settlePassword = `hash_of() { getent shadow "$1" | cut -d: -f2; }
line=$(grep -v '^#' ${passwordPath} 2>/dev/null); account=\${line%%:*}
if [ -n "$line" ]; then
[ -e ${passwordBefore} ] || { echo "$account:$(hash_of "$account")" >${passwordBefore}.new && chmod 600 ${passwordBefore}.new && mv -f ${passwordBefore}.new ${passwordBefore}; } || return 1
echo "$line" | chpasswd -e || return 1
echo "$line" >${passwordBefore}-ours && chmod 600 ${passwordBefore}-ours || return 1
elif [ -e ${passwordBefore} ]; then
line=$(cat ${passwordBefore}); account=\${line%%:*}
if [ "$account:$(hash_of "$account")" = "$(cat ${passwordBefore}-ours)" ]; then echo "$line" | chpasswd -e || return 1; fi
rm -f ${passwordBefore} ${passwordBefore}-ours
fi`

export const passwordArea: Area = {
  files: [ownFile(passwordPath, '600')],
  secret: passwordSecret,
  settle: () => [settlePassword],
  verify: proof(passwordPath, 'passwordDown', ({ text }) => {
    const line = /^[^#:\n]+:.*$/m.exec(unmarked(text))?.[0] ?? ''
    return `[ "$(getent shadow ${quote(line.split(':')[0] ?? '')} | cut -d: -f2)" = ${quote(line.slice(line.indexOf(':') + 1))} ]`
  }),
}

export const ledsArea: Area = {
  files: [ownFile(ledsPath, '644'), ownFile(unitPath(ledsStart), '644'), ownFile(startFile(ledsStart), '644')],
  settle: () => [
    `if [ -e ${ledsPath} ]; then serve restart ${ledsStart}.service || return 1
else
serve stop ${ledsStart}.service 2>/dev/null
${lightScript}
fi`,
  ],
  verify: proof(ledsPath, 'ledsDown', () => `systemctl -q is-active ${ledsStart}.service`),
}

export const agentArea: Area = {
  files: [ownFile(agentPath, '600'), ownFile(agentUnit, '644'), ownFile(startFile(agentStart), '644')],
  secret: agentSecret,
  settle: () => [
    // Ours may have kept it from running.
    `if [ -e ${agentUnit} ] || systemctl -q is-enabled snmpd.service 2>/dev/null; then serve restart snmpd.service || return 1
else serve stop snmpd.service || return 1; fi`,
  ],
  verify: proof(agentUnit, 'snmpDown', ({ text }) =>
    text.includes('ExecStart') ? 'systemctl -q is-active snmpd.service' : '! systemctl -q is-active snmpd.service',
  ),
}

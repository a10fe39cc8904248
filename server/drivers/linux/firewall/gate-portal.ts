import type { Gate, NativeBlock } from '../../driver'
import { pageHeaders } from '../../unix/gate-away'
import { restoreScript } from '../../unix/gate-kept'
import { endClasses } from '../../unix/gate-lines'
import { redirectScript } from '../../unix/gate-redirect'
import { redirectPort } from '../../unix/gate-rules'
import { marked } from '../../unix/secret'
import { type Area, blockPath, checked, exactly, fileBlock } from '../area/area'
import { scriptUnit, startPath, unitPath, wantsText } from '../base/oneshot'

// What leads guests to the portal: systemd takes the connection, a few lines of shell answer it.

// A folder of its own: the other is for root alone.
const folder = '/etc/lanward-portal'
const scriptPath = `${folder}/answer.sh`
const wherePath = `${folder}/where`
export const lansPath = `${folder}/lans`
export const againPath = `${folder}/again.sh`
const name = 'lanward-portal'
const againName = 'lanward-portal-again'
/** Who is in, and what lets in while the manager is away: state, which is no file of the configuration. */
export const guestFolder = '/var/lib/lanward-portal'
export const guestOwner = 'daemon'
/** What the answering script writes to; the folder itself is for root alone to change. */
const written = ['guests', 'used', 'tries', 'silent', 'lock']
const unit = (of: string) => `/etc/systemd/system/${name}${of}`

/** A guest's own request is read at once, up to 4 KB. stdin and stdout are the connection. */
const script = redirectScript({
  read: `ip=\${REMOTE_ADDR#::ffff:}; ip=\${ip%%%*}
url=$PORTAL_URL key=$PORTAL_KEY
request=$(dd bs=4096 count=1 2>/dev/null | tr -d '\\000\\r')
first=\${request%%
*}
path=\${first#* }; path=\${path%% *}
host= IFS='
'
for line in $request; do case $line in [Hh][Oo][Ss][Tt]:*) host=\${line#*:}; host=\${host# }; break ;; esac; done
unset IFS`,
  lans: lansPath,
  hex: 'od -An -tx1 -v',
  head: (status, headers) => `HTTP/1.1 ${status}\\r\\n${headers}Content-Length: 0\\r\\nConnection: close\\r\\n\\r\\n`,
  away: {
    folder: guestFolder,
    scratch: `${guestFolder}/`,
    // Any answer but one of a manager that is not ready. Debian's bash is always there, and opens connections.
    answers: `answers() {
  timeout 3 bash -c 'exec 3<>"/dev/tcp/$1/$2" && printf "GET /portal/ HTTP/1.0\\r\\n\\r\\n" >&3 && read -r -t 2 line <&3 && case $line in "HTTP/1."?" 5"*) exit 1 ;; HTTP/*) ;; *) exit 1 ;; esac' - "$address" "$port" </dev/null >/dev/null 2>&1
}`,
    head: `HTTP/1.1 200 OK\\r\\n${pageHeaders}Connection: close\\r\\n\\r\\n`,
  },
})

// Without a limit of triggers: it would shut the door for good once many knock at a time.
const socketText = `[Unit]
Description=Requests of guests who are not in, as set in Lanward
ConditionPathExists=${wherePath}

[Socket]
ListenStream=${redirectPort}
Accept=yes
MaxConnections=128
MaxConnectionsPerSource=16
TriggerLimitIntervalSec=0
`

// `nobody` is warned of at each start, and a user made for each start takes it a second on a small machine.
const serviceText = `[Unit]
Description=Leads a guest to the portal
CollectMode=inactive-or-failed

[Service]
ExecStart=/bin/sh ${scriptPath}
EnvironmentFile=${wherePath}
StandardInput=socket
StandardOutput=socket
StandardError=null
User=daemon
NoNewPrivileges=yes
AmbientCapabilities=CAP_NET_ADMIN
CapabilityBoundingSet=CAP_NET_ADMIN
RuntimeMaxSec=20
`

const about = { kind: 'lan' }

/** What answers, and where it sends guests; the key is for the device's root alone. */
export const portalBlocks = ({ url, key }: Gate): NativeBlock[] => [
  fileBlock(scriptPath, script, about),
  fileBlock(wherePath, `PORTAL_URL=${url}\nPORTAL_KEY=${marked(key)}\n`, about),
  fileBlock(unit('.socket'), socketText, about),
  fileBlock(unit('@.service'), serviceText, about),
  fileBlock(startPath(name), `[Unit]\nWants=${name}.socket\n`, about),
  fileBlock(againPath, restoreScript(`${guestFolder}/guests`, lansPath), about),
  fileBlock(
    unitPath(againName),
    scriptUnit({ file: againPath, description: 'Lets guests in again after a restart', after: 'lanward-gate.service' }),
    about,
  ),
  fileBlock(startPath(againName), wantsText(againName), about),
]

/** The redirector; who is in is state, and goes with the table. */
export const portalArea: Area = {
  files: [
    exactly(scriptPath),
    exactly(wherePath, '600'),
    exactly(lansPath),
    exactly(unit('.socket')),
    exactly(unit('@.service')),
    exactly(startPath(name)),
    exactly(againPath),
    exactly(unitPath(againName)),
    exactly(startPath(againName)),
  ],
  secret: /^(PORTAL_KEY=)(.*)$/gm,
  settle: () => [
    `if [ -e ${wherePath} ]; then
mkdir -p ${guestFolder} && chmod 755 ${guestFolder} && (cd ${guestFolder} && umask 077 && touch ${written.join(' ')} && chown ${guestOwner} ${written.join(' ')}) || return 1
serve restart ${name}.socket || return 1
else
rm -rf ${guestFolder}
serve stop ${name}.socket 2>/dev/null
${endClasses}
fi`,
  ],
  verify: checked(
    block =>
      blockPath(block) === wherePath
        ? {
            line: `systemctl -q is-active ${name}.socket`,
            warning: { code: 'portalDown', kind: 'lan' },
          }
        : undefined,
    10_000,
  ),
}

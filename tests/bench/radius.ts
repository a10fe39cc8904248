import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { radiusdConf, usersFile } from '@/server/guests/radius/here/render'
import { makeAuthority, sign } from '@/server/networks/certificates/x509'
import { root } from '../appliance/_manager'
import type { Row } from './table'

const people = 2000
const asked = 10_000
const eaps = 64
const password = (n: number) => `Anchor-chain-${n}`

/** FreeRADIUS as bare as it gets: names and passwords in clear, no VLAN, no journal, one virtual server. */
const bareConf = (made: string) => {
  const head = made.slice(0, made.indexOf('client own'))
  return `${head}client all {
	ipaddr = 127.0.0.1
	secret = "own-secret"
	virtual_server = bare
}
modules {
	pap {
	}
	files {
		usersfile = \${confdir}/users
	}
}
server bare {
	authorize {
		files
		pap
	}
	authenticate {
		Auth-Type PAP {
			pap
		}
	}
}
`
}

/** In the lab's root, in a network of its own: starts the server, asks it, and prints ms for all PAP and all EAP. */
const inside = `
ip link set lo up; ip addr add 10.99.0.1/32 dev lo
freeradius -f -d /mnt/conf -n radiusd </dev/null >/dev/null 2>&1 & server=$!
until grep -qs 'Ready to process' /mnt/run/log; do kill -0 $server || exit 1; sleep 0.05; done
now() { echo $(($(date +%s%N) / 1000000)); }
from=$(now); radclient -q -s -p 64 -f /mnt/load $ADDRESS auth $SECRET >/mnt/said; to=$(now)
grep -q 'Accepted *: ${asked}$' /mnt/said || { cat /mnt/said /mnt/run/log >&2; exit 1; }; echo $((to - from))
[ -z "$EAP" ] || { from=$(now); seq ${eaps} | xargs -P 8 -I{} sh -c 'eapol_test -c /mnt/eap.conf -a $ADDRESS -s $SECRET -t 20 >/dev/null 2>&1 || exit 255' || exit 1; echo $(($(now) - from)); }
kill $server`

function measured(folder: string, env: Record<string, string>): number[] {
  const lower = execFileSync('bash', [`${root}/appliance/lab/root.sh`], { encoding: 'utf8' }).trim()
  const box = `mount --bind "$1" "$2/mnt" && mount --rbind /dev "$2/dev" && mount --rbind /proc "$2/proc" && exec chroot "$2" sh -c "$3"`
  const words = ['-n', '-m', '--propagation', 'private', 'sh', '-c', box, 'sh', folder, lower, inside]
  const said = execFileSync('unshare', words, {
    encoding: 'utf8',
    env: { ...process.env, LANWARD_RADIUS: '/mnt', ...env },
  })
  return said.trim().split('\n').map(Number)
}

/** Signing in at the RADIUS server that the manager sets up, beside FreeRADIUS alone on the same machine; needs root. */
export async function measureRadius(): Promise<Row[]> {
  const folder = mkdtempSync(`${tmpdir()}/lanward-bench-radius-`)
  for (const name of ['conf', 'run']) mkdirSync(`${folder}/${name}`)
  const put = (name: string, text: string) => writeFileSync(`${folder}/${name}`, text)
  const everybody = Array.from({ length: people }, (_, n) => n)
  const load = Array.from({ length: asked }, (_, n) => n % people)
  put('load', load.map(n => `User-Name=u${n},User-Password=${password(n)}\n`).join('\n'))
  const authority = await makeAuthority('Bench', Date.now())
  const server = await sign(authority, { name: 'radius', use: 'server', days: 30 }, Date.now())
  const asker = { id: 'all', address: '10.99.0.1', secret: 'asker-secret', network: 1, organization: 1 }
  const made = radiusdConf({ askers: [asker], organizations: [1], ownSecret: 'own-secret' })
  try {
    put('conf/radiusd.conf', made)
    put('conf/1.pem', server.key + server.certificate)
    put('conf/1-authority.pem', authority.certificate)
    put(
      'conf/users',
      usersFile(
        everybody.map(n => ({ id: `${n}`, network: 1, name: `u${n}`, password: password(n), vlan: 20, serials: [] })),
      ),
    )
    put(
      'eap.conf',
      `network={\nkey_mgmt=WPA-EAP\neap=PEAP\nidentity="u7"\npassword="${password(7)}"\nphase2="auth=MSCHAPV2"\n}\n`,
    )
    const [pap = Number.NaN, eap = Number.NaN] = measured(folder, {
      ADDRESS: '10.99.0.1',
      SECRET: 'asker-secret',
      EAP: '1',
    })
    rmSync(`${folder}/run/log`)
    put('conf/radiusd.conf', bareConf(made))
    put('conf/users', everybody.map(n => `u${n} Cleartext-Password := "${password(n)}"\n`).join(''))
    const [bare = Number.NaN] = measured(folder, { ADDRESS: '127.0.0.1', SECRET: 'own-secret', EAP: '' })
    const perSecond = (count: number, ms: number) => Math.round((count / ms) * 1000)
    const rate = perSecond(asked, pap)
    const unit = 'sign-ins a second'
    return [
      {
        what: `RADIUS: PAP, ${people} users, 64 at a time`,
        figure: `${rate} ${unit}`,
        aim: `at least 2000 ${unit}`,
        met: rate >= 2000,
      },
      { what: 'FreeRADIUS alone: PAP, the same', figure: `${perSecond(asked, bare)} ${unit}`, aim: '', met: undefined },
      {
        what: 'RADIUS: PEAP, 8 at a time, the asking programs beside',
        figure: `${perSecond(eaps, eap)} ${unit}`,
        aim: '',
        met: undefined,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

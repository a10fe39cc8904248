import { ntHash } from './md4'

// What FreeRADIUS 3.2 is given: pure, documents in, files out. Nothing of /etc/freeradius is used. The users' file is all
// that it decides by, so it goes on while the manager is away.

/** One that may ask: `address` an IP address or a prefix; `secret` without quotes, $, % and \. */
export type Asker = { id: string; address: string; secret: string; network: number; organization: number }
/** Who may sign in. `serials`: of valid certificates, lower-case hexadecimal digits. */
export type Person = {
  id: string
  network: number
  name: string
  password?: string
  vlan?: number
  serials: readonly string[]
}
export type Wanted = {
  askers: readonly Asker[]
  /** Those whose networks it serves. */
  organizations: readonly number[]
  /** By which the manager itself asks, over loopback. */
  ownSecret: string
}

/** A word in double quotes that FreeRADIUS reads as it is; names may have any letters, and none of these. */
const quoted = (text: string) => `"${text.replaceAll(/["\\%$\r\n]/g, '')}"`

function replyOf({ id, vlan }: Person): string {
  const vlans =
    vlan === undefined
      ? []
      : ['Tunnel-Type = VLAN', 'Tunnel-Medium-Type = IEEE-802', `Tunnel-Private-Group-Id = "${vlan}"`]
  return `\t${[...vlans, `Class = 0x${Buffer.from(id).toString('hex')}`].join(',\n\t')}\n`
}

/**
 * One entry for each name, and for each certificate. They stand under their network's number: a name of one network signs
 * in at no other. Names hold no `/`, so that nobody types the name of a certificate.
 */
export function usersFile(people: readonly Person[], mark = ''): string {
  const entries = people.flatMap(person => {
    const reply = replyOf(person)
    const byPassword =
      person.password === undefined
        ? []
        : [`${quoted(`${person.network}/${person.name}`)} NT-Password := 0x${ntHash(person.password)}\n${reply}`]
    const byCertificate = person.serials.map(
      serial =>
        `"${person.network}-certificate/${serial}" Auth-Type := Accept\n\tUser-Name = ${quoted(person.name)},\n${reply}`,
    )
    return [...byPassword, ...byCertificate]
  })
  // No network has the number 0: the manager alone asks by it, and sees which file was read last.
  const marked = mark === '' ? [] : [`"0/${mark}" NT-Password := 0x${ntHash(mark)}\n`]
  return `# Made by Lanward.\n${[...entries, ...marked].join('\n')}`
}

const tab = '\t'
/** A line of the journal: what server/guests/radius/here/journal.ts reads. */
const line = (words: readonly string[]) => words.join(tab)
const quote = (name: string) => `%{urlquote:%{${name}}}`
/** Who it was in the end: behind an anonymous name there is another. */
const who = '%{urlquote:%{%{reply:User-Name}:-%{%{session-state:Tmp-String-2}:-%{User-Name}}}}'
const about = [who, quote('Calling-Station-Id'), quote('Called-Station-Id'), '%{Packet-Src-IP-Address}']
/** `Class` tells the user: devices say it back of whoever they let in. */
const signIn = (outcome: string, why: string) =>
  line(['%l', outcome, '%{client:network}', ...about, quote('EAP-Type'), why, '%{reply:Class}'])

const journal = (name: string, format: string) => `	linelog ${name} {
		filename = \${logdir}/journal
		permissions = 0640
		format = "${format}"
	}
`

const eap = (organization: number) => `	eap eap_${organization} {
		default_eap_type = peap
		timer_expire = 60
		max_sessions = 16384
		tls-config tls-common {
			private_key_file = \${confdir}/${organization}.pem
			certificate_file = \${confdir}/${organization}.pem
			ca_file = \${confdir}/${organization}-authority.pem
			tls_min_version = "1.2"
			tls_max_version = "1.2"
			cipher_list = "DEFAULT"
			ecdh_curve = "prime256v1"
		}
		tls {
			tls = tls-common
			virtual_server = certificates
		}
		ttls {
			tls = tls-common
			default_eap_type = mschapv2
			copy_request_to_tunnel = yes
			use_tunneled_reply = yes
			virtual_server = inner_${organization}
		}
		peap {
			tls = tls-common
			default_eap_type = mschapv2
			copy_request_to_tunnel = yes
			use_tunneled_reply = yes
			virtual_server = inner_${organization}
		}
		mschapv2 {
		}
	}
`

const authenticate = (more = '') => `	authenticate {
		Auth-Type PAP {
			pap
		}
		Auth-Type MS-CHAP {
			mschap
		}
${more}	}
`

/** Looks somebody up below `folder`; whom nobody knows is refused. `where`: the list that the reason is left in. */
const lookUp = (folder: string, where: string) => `		update control {
			Tmp-String-1 := "${folder}"
		}
		files
		if (noop || notfound) {
			update ${where} {
				Tmp-String-0 := "unknown"
			}
			reject
		}
`
/** What was looked up for somebody goes with their acceptance alone. */
const nothing = `			update reply {
				Tunnel-Type !* ANY
				Tunnel-Medium-Type !* ANY
				Tunnel-Private-Group-Id !* ANY
				Class !* ANY
			}
`
const byNetwork = '%{client:network}'
const whyNot = '%{%{session-state:Tmp-String-0}:-other}'

const serverOf = (organization: number) => `server organization_${organization} {
	authorize {
		preprocess
		eap_${organization} {
			ok = return
		}
		if (!&EAP-Message) {
${lookUp(byNetwork, 'session-state').replaceAll(/^/gm, tab).trimEnd()}
		}
		mschap
		pap
	}
${authenticate(`\t\teap_${organization}\n`)}	post-auth {
		accepted
		Post-Auth-Type REJECT {
${nothing}			rejected
		}
	}
	accounting {
		accounted
	}
}
server inner_${organization} {
	authorize {
		update outer.session-state {
			Tmp-String-2 := "%{User-Name}"
		}
		eap_${organization} {
			ok = return
		}
${lookUp(byNetwork, 'outer.session-state')}		mschap
		pap
	}
${authenticate(`\t\teap_${organization}\n`)}	post-auth {
		update reply {
			User-Name := "%{request:User-Name}"
		}
	}
}
`

const certificates = `server certificates {
	authorize {
		update request {
			User-Name := "%{TLS-Client-Cert-Serial}"
		}
${lookUp(`${byNetwork}-certificate`, 'outer.session-state')}	}
}
`

/** What the manager asks to see who would sign in: the network is the NAS identifier. */
const own = `server own {
	authorize {
		preprocess
${lookUp('%{NAS-Identifier}', 'session-state')}		pap
	}
${authenticate()}	post-auth {
		Post-Auth-Type REJECT {
${nothing}			update reply {
				Reply-Message := "${whyNot}"
			}
		}
	}
}
`

const clientOf = ({ id, address, secret, network, organization }: Asker) => `client ${id} {
	ipaddr = ${address}
	secret = "${secret}"
	virtual_server = organization_${organization}
	network = ${network}
}
`

/** radiusd.conf; $LANWARD_RADIUS is the folder that holds `conf` and `run`. */
export const radiusdConf = ({ askers, organizations, ownSecret }: Wanted): string => `# Made by Lanward.
prefix = /usr
confdir = $ENV{LANWARD_RADIUS}/conf
logdir = $ENV{LANWARD_RADIUS}/run
run_dir = \${logdir}
libdir = /usr/lib/freeradius
pidfile = \${run_dir}/pid
max_request_time = 10
cleanup_delay = 5
max_requests = 16384
hostname_lookups = no
log {
	destination = files
	file = \${logdir}/log
	auth = no
}
security {
	max_attributes = 200
	reject_delay = 1
	status_server = yes
	allow_vulnerable_openssl = yes
}
thread pool {
	start_servers = 4
	max_servers = 16
	min_spare_servers = 2
	max_spare_servers = 8
	max_queue_size = 1024
}
listen {
	type = auth
	ipaddr = *
	port = 1812
}
listen {
	type = acct
	ipaddr = *
	port = 1813
}
client own {
	ipaddr = 127.0.0.1
	secret = "${ownSecret}"
	virtual_server = own
}
${askers.map(clientOf).join('')}modules {
	pap {
	}
	mschap {
		use_mppe = yes
	}
	preprocess {
	}
	expr {
	}
	always reject {
		rcode = reject
	}
	files {
		usersfile = \${confdir}/users
		key = "%{control:Tmp-String-1}/%{User-Name}"
	}
${journal('accepted', signIn('accepted', ''))}${journal('rejected', signIn('rejected', whyNot))}${journal(
  'accounted',
  line([
    '%l',
    quote('Acct-Status-Type'),
    byNetwork,
    ...about,
    quote('Acct-Session-Id'),
    '%{Acct-Input-Gigawords}:%{Acct-Input-Octets}',
    '%{Acct-Output-Gigawords}:%{Acct-Output-Octets}',
    '%{Acct-Session-Time}',
    '%{Class}',
  ]),
)}${organizations.map(eap).join('')}}
${organizations.map(serverOf).join('')}${certificates}${own}`

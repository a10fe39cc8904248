/**
 * Debian's own LDAP server on a station of the lab: TLS by an authority of its own, groups that tell their members
 * (memberOf), and the attributes by which Active Directory knows people. Nobody but the reader may search.
 */
import { Attribute, Change, Client } from 'ldapts'
import { addressOf, lab, until } from './_lab'

const suffix = 'dc=lab,dc=test'
export const people = `ou=people,${suffix}`
export const reader = { bindDn: `cn=reader,${suffix}`, bindPassword: 'Lighthouse-9' }
const root = { dn: `cn=root,${suffix}`, password: 'Harbour-Master-1' }

const config = `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName'
  EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP top AUXILIARY MAY ( sAMAccountName $ userAccountControl ) )
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile /run/slapd.pid
TLSCertificateFile /etc/ldap/own.crt
TLSCertificateKeyFile /etc/ldap/own.key
TLSCACertificateFile /etc/ldap/ca.crt
database mdb
maxsize 10485760
suffix "${suffix}"
rootdn "${root.dn}"
rootpw ${root.password}
directory /var/lib/ldap-lab
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${reader.bindDn}" read by * none
overlay memberof
`
const prepare = (address: string) => `
set -e
mkdir -p /var/lib/ldap-lab
cd /etc/ldap
cat >lab.conf
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30'
openssl req -x509 $key -subj /CN=lab-authority -keyout ca.key -out ca.crt 2>/dev/null
openssl req -x509 $key -subj /CN=directory.lab.test -addext subjectAltName=IP:${address} \\
  -addext basicConstraints=critical,CA:FALSE -CA ca.crt -CAkey ca.key -keyout own.key -out own.crt 2>/dev/null
`
// Without the limit it makes room for every file that this machine would let it open.
const start = 'ulimit -n 512; slapd -f /etc/ldap/lab.conf -h "ldap:/// ldaps:///" </dev/null >/dev/null 2>&1'

async function inside(line: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await lab.in('c1', ['sh', '-c', line], { input })
  if (code !== 0) throw new Error(`${line}: ${stderr}`)
  return stdout.trim()
}

type Entry = Record<string, string | string[]>
export type LabDirectory = {
  host: string
  /** Certificate of the authority, PEM. */
  ca: string
  /** Below `people` unless `under` says otherwise; gives the DN. */
  person(uid: string, password: string, more?: Entry & { under?: string }): Promise<string>
  group(cn: string, members: readonly string[]): Promise<string>
  /** Makes one of a group's members another. */
  swap(group: string, from: string, to: string): Promise<void>
  remove(dn: string): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts it with the tree's branches and the reader; `lab.reset('c1')` takes all of it away. */
export async function startDirectory(): Promise<LabDirectory> {
  await lab.up()
  const host = await addressOf('c1')
  await inside(prepare(host), config)
  const ca = await inside('cat /etc/ldap/ca.crt')
  const ask = async (work: (client: Client) => Promise<void>) => {
    const client = new Client({
      url: `ldaps://${host}:636`,
      tlsOptions: { ca },
      timeout: 30_000,
      connectTimeout: 30_000,
    })
    try {
      await client.bind(root.dn, root.password)
      await work(client)
    } finally {
      await client.unbind()
    }
  }
  const begin = async () => {
    await inside(start)
    await until(() => ask(async () => undefined).then(() => true))
  }
  await begin()
  const add = (dn: string, entry: Entry) => ask(client => client.add(dn, entry))
  await add(suffix, { objectClass: ['dcObject', 'organization'], dc: 'lab', o: 'Lab' })
  for (const ou of ['people', 'guests', 'groups'])
    await add(`ou=${ou},${suffix}`, { objectClass: 'organizationalUnit', ou })
  const login = { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'reader' }
  await add(reader.bindDn, { ...login, userPassword: reader.bindPassword })
  const groupDn = (group: string) => `cn=${group},ou=groups,${suffix}`
  return {
    host,
    ca,
    async person(uid, password, { under = people, ...more } = {}) {
      const dn = `uid=${uid},${under}`
      const kinds = { objectClass: ['inetOrgPerson', 'user'], uid, sAMAccountName: uid, userAccountControl: '512' }
      await add(dn, { ...kinds, cn: uid, sn: uid, userPassword: password, ...more })
      return dn
    },
    async group(cn, members) {
      await add(groupDn(cn), { objectClass: 'groupOfNames', cn, member: [...members] })
      return groupDn(cn)
    },
    swap: (group, from, to) =>
      ask(async client => {
        const change = (operation: 'add' | 'delete', value: string) =>
          new Change({ operation, modification: new Attribute({ type: 'member', values: [value] }) })
        await client.modify(group, [change('add', to), change('delete', from)])
      }),
    remove: dn => ask(client => client.del(dn)),
    async stop() {
      await inside('kill $(cat /run/slapd.pid); while [ -e /run/slapd.pid ]; do sleep 0.1; done')
    },
    start: begin,
  }
}

import { basename, dirname } from 'node:path'
import { blockPath } from '@/server/drivers/linux/area/area'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { openwrtDriver } from '@/server/drivers/openwrt/driver'
import { planPush } from '@/server/drivers/openwrt/push'
import { quote } from '@/server/drivers/shell'
import { unmarked } from '@/server/drivers/unix/secret'
import { samples } from '../soak/fuzz'
import { randomOf } from '../soak/random'
import { lab } from './_lab'

// What the renderers write for whatever a person may type, read by the programs that Debian ships. Each program has one
// file more, with a line that it has to refuse: so it is known to look.

type Sample = { path: string; text: string }
type Program = {
  name: string
  /** Of which system; Debian's unless it says otherwise. */
  system?: 'debian' | 'openwrt'
  files: RegExp
  /** Shell lines, run among the files; they say what the program complains of. */
  check: string
  /** It has the word "broken" where the complaint does not name the file. */
  wrong: string
  /** Where the files lie, the broken one among them; all in one folder unless it says otherwise. */
  place?: (files: readonly Sample[], wrong: string) => Sample[]
}

/** A program that takes one file and ends with 0 when it likes it. */
const each = (line: string) => `for f in *; do said=$(${line} 2>&1) || echo "$f:" $said; done`
/** A daemon that runs on: ended once a shell line holds, from which on it has read all. */
const once = (daemon: string, ready: string) => `: >/run/log
${daemon} >/run/log 2>&1 & pid=$!
until ${ready} || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
${ready} || echo "not ready:" $(cat /run/log)
kill $pid 2>/dev/null; wait $pid 2>/dev/null`

const programs: Program[] = [
  { name: 'nft', files: /^\/etc\/lanward\/\w+\.nft$/, check: each('nft -c -f "$f"'), wrong: 'broken' },
  {
    name: 'dnsmasq',
    files: /^\/etc\/lanward\/dhcp-.+\.conf$/,
    check: each('dnsmasq --test -C "$PWD/$f"'),
    wrong: 'broken=1',
  },
  {
    name: 'hostapd',
    files: /^\/etc\/hostapd\/.+\.conf$/,
    // It reads all files before it looks for a radio, up to the first that it refuses: the broken one is the last.
    check: `timeout 60 hostapd * 2>&1 | grep -E '^Line [0-9]|errors? found|Invalid'`,
    wrong: 'broken=1',
  },
  {
    name: 'systemd-networkd',
    files: /^\/etc\/systemd\/network\/.+\.(?:network|netdev)$/,
    // Several samples have the same VLAN, or are taken without it.
    check: `mount --bind . /etc/systemd/network
# The folder of its state is systemd's to make; what is in there is written when all is read.
mkdir -p /run/systemd/netif; chown systemd-network: /run/systemd/netif
${once('SYSTEMD_LOG_TARGET=console /lib/systemd/systemd-networkd', '[ -e /run/systemd/netif/state ]')}
grep -F /etc/systemd/network/ /run/log | grep -v -e 'already configured by' -e 'NetDev could not be found'`,
    wrong: 'Broken=1',
  },
  {
    name: 'systemd-sysctl',
    files: /^\/etc\/sysctl\.d\/.+$/,
    check: `for f in *; do SYSTEMD_LOG_TARGET=console /lib/systemd/systemd-sysctl "$PWD/$f" 2>&1; done`,
    wrong: 'broken',
  },
  {
    name: 'systemd-analyze',
    files: /^\/etc\/systemd\/system\/.+$/,
    check: `cd /lib/systemd/system; others=$(ls -d $PWD/snmpd.service $PWD/multi-user.target $PWD/sysinit.target $PWD/timers.target)
for tree in /run/samples/*; do
systemd-analyze --man=no verify $(find "$tree" -maxdepth 1 -type f) $others 2>&1
done | grep -E 'lanward|/run/samples/'`,
    wrong: 'Broken=1',
    place: trees,
  },
  {
    name: 'snmpd',
    files: /^\/etc\/lanward\/snmpd\.conf$/,
    // It looks up where traps go as it reads the line, and calls the line a wrong one where nobody has the name.
    check: `ip link set lo up; mkdir -p /run/snmp; export MIBS= SNMP_PERSISTENT_DIR=/run/snmp
sed -n 's/^trapsess .* udp:\\([^:]*\\):[0-9]*$/127.0.0.1 \\1/p' * >/run/hosts; mount --bind /run/hosts /etc/hosts
for f in *; do
${once('snmpd -f -Lo -I -smux -C -c "$PWD/$f" -p /run/snmpd.pid', "grep -q 'NET-SNMP version' /run/log")}
grep -E 'line [0-9]+:' /run/log
done`,
    wrong: 'broken 1',
  },
  {
    name: 'sshd',
    files: /^\/etc\/ssh\/sshd_config\.d\/.+$/,
    check: `mkdir -p /run/sshd; ${each('sshd -t -f "$f"')}`,
    wrong: 'Broken yes',
  },
  {
    name: 'rsyslogd',
    files: /^\/etc\/rsyslog\.d\/.+$/,
    check: each('rsyslogd -N1 -f "$PWD/$f"'),
    wrong: 'broken(',
  },
  {
    name: 'pppd',
    files: /^\/etc\/lanward\/pppoe-.+\.conf$/,
    // Debian's plugin asks the kernel for PPPoE as it is loaded, and pppd for PPP once it has read all.
    check: `for f in *; do sed -E '/^(plugin|rp_pppoe_service|nic-)/d' "$f" >/run/p
pppd dryrun nodetach pty true file /run/p 2>&1 | grep 'In file' | sed "s/^/$f: /"; done`,
    wrong: 'broken',
  },
  {
    name: 'inadyn',
    files: /^\/etc\/lanward\/ddns\.conf$/,
    check: each('inadyn --check-config -f "$PWD/$f"'),
    wrong: 'broken = 1',
  },
  { name: 'sh', files: /^\/etc\/lanward\/.+\.sh$/, check: each('sh -n "$f"'), wrong: 'if broken' },
  {
    name: 'nft, for OpenWrt',
    system: 'openwrt',
    files: /^\/etc\/lanward\/\w+\.nft$/,
    check: each('nft -c -f "$f"'),
    wrong: 'broken',
  },
  {
    name: 'busybox sh, for OpenWrt',
    system: 'openwrt',
    files: /\.sh$|\/hotplug\.d\//,
    check: each('busybox sh -n "$f"'),
    wrong: 'if broken',
  },
  {
    // What a push hands to uci, split into words by a shell as uci splits it: one command a line, nothing of it run.
    name: 'busybox sh as the reader of uci batch',
    system: 'openwrt',
    files: /^\/push\/.+\.uci$/,
    check: `for f in *; do
{ echo 'words() { [ $# = 1 ] || echo "$# words: $*"; }'; sed -E 's/^(set|add_list|del_list|delete|reorder|rename) /words /' "$f"; } >/run/batch
said=$(busybox sh -f /run/batch 2>&1) || said="\${said:-it ended with $?}"
[ -z "$said" ] || echo "$f:" $said
done`,
    wrong: 'set broken words',
  },
]

/** Documents of each kind; `npm run soak -- --files 400` has ten times as many. */
const count = Number(process.env.LANWARD_SAMPLES ?? 40)
const seed = Number(process.env.LANWARD_SAMPLES_SEED ?? 20)
/** Different files of a program, from all kinds alike where they are more than these. */
const most = 60 * Math.max(1, count / 40)
const plans = { debian: [] as Sample[][], openwrt: [] as Sample[][] }
beforeAll(async () => {
  await lab.up()
  const linux = await samples(linuxDriver, count, randomOf(seed))
  plans.debian = linux.map(blocks => blocks.map(block => ({ path: blockPath(block), text: unmarked(block.text) })))
  const openwrt = await samples(openwrtDriver, count, randomOf(seed))
  plans.openwrt = openwrt.map((blocks, at) => {
    const plan = planPush('0', { blocks: [] }, { blocks }, 90)
    const files = blocks.filter(block => block.id.startsWith('file:'))
    return [
      ...files.map(block => ({ path: blockPath(block), text: unmarked(block.text) })),
      { path: `/push/${at}.uci`, text: plan.writes[0]?.text ?? '' },
    ]
  })
})

/** What a file names lies where it says, for each file by itself. */
function beside(one: Sample, plan: readonly Sample[], at: number): Sample[] {
  const named = plan.filter(other => other !== one && one.text.includes(other.path))
  const moved = (path: string) => `/run/beside/${at}/${basename(path)}`
  const text = named.reduce((all, { path }) => all.replaceAll(path, moved(path)), one.text)
  return [{ path: one.path, text }, ...named.map(other => ({ path: moved(other.path), text: other.text }))]
}

/** A share of the different texts. `every`: of each path one at least, for files that need each other. */
function filesOf(system: keyof typeof plans, files: RegExp, every: boolean): Sample[][] {
  const found = plans[system].flatMap((plan, at) =>
    plan.filter(one => files.test(one.path)).map(one => ({ one, plan, at })),
  )
  const different = [...new Map(found.map(each => [each.one.path + each.one.text, each])).values()]
  return different
    .filter(
      ({ one }, at, all) =>
        at % Math.ceil(different.length / most) === 0 ||
        (every && all.findIndex(other => other.one.path === one.path) === at),
    )
    .map(({ one, plan, at }) => beside(one, plan, at))
}

const folder = '/run/samples'

/** All in one folder, the broken one as the last. */
function flat(files: readonly Sample[], wrong: string): Sample[] {
  const last = files.at(-1) as Sample
  const all = [...files, { ...last, text: `${last.text}${wrong}\n` }]
  const mark = (at: number) => (at < files.length ? String(at).padStart(3, '0') : 'broken')
  return all.map(({ path, text }, at) => ({ path: `${folder}/${mark(at)}-${basename(path)}`, text }))
}

/** A folder for each text that the most changing file has; the last one with a broken file. */
function trees(files: readonly Sample[], wrong: string): Sample[] {
  const paths = [...new Set(files.map(one => one.path))]
  const texts = (path: string) => files.filter(one => one.path === path).map(one => one.text)
  const count = Math.max(...paths.map(path => texts(path).length))
  const broken = paths.find(path => path.endsWith('.service'))
  const tree = (name: string, at: number) =>
    paths.map(path => {
      const own = texts(path)
      const text = own[Math.min(at, own.length - 1)] ?? ''
      const end = name === 'broken' && path === broken ? `${wrong}\n` : ''
      return { path: path.replace('/etc/systemd/system', `${folder}/${name}`), text: text + end }
    })
  return [...Array.from({ length: count }, (_, at) => tree(String(at), at)).flat(), ...tree('broken', 0)]
}

/** The hostile names hold `$(id)`: whatever runs it says so. */
const snare = `mkdir /run/snare && printf '#!/bin/sh\\necho ran >>/run/sprung\\n' >/run/snare/id && chmod +x /run/snare/id
export PATH=/run/snare:$PATH`

const write = ({ path, text }: Sample) =>
  `mkdir -p ${quote(dirname(path))} && printf %s ${quote(text)} >${quote(path)} || exit`

test.each(programs)(
  '$name takes what is written for it',
  async ({ system = 'debian', files, check, wrong, place = flat }: Program) => {
    const found = filesOf(system, files, place === trees)
    expect(found.length).toBeGreaterThan(1)
    const main = found.flatMap(([one]) => one ?? [])
    const all = [...found.flatMap(([, ...more]) => more), ...place(main, wrong)]
    const input = [...all.map(write), snare, `cd ${folder}`, check, 'cat /run/sprung 2>/dev/null', 'exit 0'].join('\n')
    // In namespaces of its own: nothing of the device changes.
    const line = 'mount -t tmpfs tmpfs /run && cat >/run/check && exec sh /run/check </dev/null'
    const { code, stdout, stderr } = await lab.in('gw', ['unshare', '-mn', 'sh', '-c', line], {
      input,
      timeoutMs: 240_000 * Math.max(1, count / 40),
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const said = stdout.split('\n').filter(one => one !== '')
    expect(said.filter(one => !/broken/i.test(one))).toEqual([])
    expect(said).not.toEqual([])
  },
)

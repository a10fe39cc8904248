// The script of a switch's ports on a kernel's bridge: run by a real shell, upon a bridge(8) that keeps its VLANs in files,
// since the lab's kernel tells no VLANs apart.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { portsFolder, portsKept, portsScript } from '@/server/drivers/linux/ports/ports-script'

// `bridge vlan` as iproute2 6.1 does it: what is added again takes the flags of that time.
const bridge = `#!/bin/sh
table=$STATE/vlans
case "$1 $2" in
"vlan show") printf 'port              vlan-id\\n'; awk -v p="$4" '$1 == p { $1 = ""; print (n++ ? "" : p) $0 }' "$table" ;;
"vlan add"|"vlan del")
  verb=$2 dev=$4 vid=$6; shift 6
  flags=$(for w; do case $w in pvid) printf ' PVID' ;; untagged) printf ' Egress Untagged' ;; esac; done)
  awk -v p="$dev" -v v="$vid" -v f="$flags" '!($1 == p && $2 == v) { if ($1 == p && f ~ /PVID/) sub(/ PVID/, ""); print }' "$table" >"$table.new"
  [ $verb = del ] || echo "$dev $vid$flags" >>"$table.new"
  mv "$table.new" "$table" ;;
esac
`
const ip = `#!/bin/sh
case "$*" in *vlan_filtering*) for w; do last=$w; done; echo "$last" >"$STATE/net/$4/bridge/vlan_filtering" ;; esac
`

let root: string
beforeEach(() => {
  root = mkdtempSync(`${tmpdir()}/ports-`)
  for (const path of ['bin', 'net/br0/bridge', 'net/eth0/brport', 'net/eth1/brport', 'wanted', 'kept'])
    mkdirSync(`${root}/${path}`, { recursive: true })
  for (const [name, text] of Object.entries({ bridge, ip })) writeFileSync(`${root}/bin/${name}`, text, { mode: 0o755 })
  for (const port of ['eth0', 'eth1']) {
    execFileSync('ln', ['-s', '../br0', `${root}/net/${port}/master`])
    writeFileSync(`${root}/net/${port}/brport/isolated`, '0\n')
  }
  for (const one of ['br0', 'eth0', 'eth1']) writeFileSync(`${root}/net/${one}/flags`, '0x1003\n')
  writeFileSync(`${root}/net/br0/bridge/vlan_filtering`, '0\n')
  const plain = ['br0', 'eth0', 'eth1'].map(one => `${one} 1 PVID Egress Untagged\n`)
  writeFileSync(`${root}/vlans`, plain.join(''))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function run(files: Record<string, string>): { vlans: string[]; filters: string } {
  rmSync(`${root}/wanted`, { recursive: true })
  mkdirSync(`${root}/wanted`)
  for (const [name, text] of Object.entries(files))
    writeFileSync(`${root}/wanted/${name}.conf`, `port=${name}\n${text}`)
  const script = portsScript
    .replace('PATH=/usr/sbin:/usr/bin:/sbin:/bin', `PATH=${root}/bin:/usr/bin:/bin`)
    .replaceAll('/sys/class/net', `${root}/net`)
    .replaceAll(portsFolder, `${root}/wanted`)
    .replaceAll(portsKept, `${root}/kept`)
  // Debian's, in which the unit runs.
  execFileSync('sh', ['-c', script], { env: { ...process.env, STATE: root }, stdio: 'pipe' })
  const lines = readFileSync(`${root}/vlans`, 'utf8').trim().split('\n').toSorted()
  return { vlans: lines, filters: readFileSync(`${root}/net/br0/bridge/vlan_filtering`, 'utf8').trim() }
}
const plain = ['br0 1 PVID Egress Untagged', 'eth0 1 PVID Egress Untagged', 'eth1 1 PVID Egress Untagged']

test('the bridge’s own address moves to the management VLAN, with the port that carries it; without it all is as before', () => {
  const trunk = 'link=up\nnative=1\ntagged=20\n'
  const moved = {
    vlans: ['br0 20 PVID Egress Untagged', 'eth0 1 PVID Egress Untagged', 'eth0 20', 'eth1 1 PVID Egress Untagged'],
    filters: '1',
  }
  expect(run({ br0: 'native=20\n', eth0: trunk })).toEqual(moved)
  expect(run({ br0: 'native=20\n', eth0: trunk })).toEqual(moved)
  // The port alone: the bridge is in its VLAN by a tag, and untagged where it was.
  expect(run({ eth0: trunk })).toEqual({
    vlans: ['br0 1 PVID Egress Untagged', 'br0 20', 'eth0 1 PVID Egress Untagged', 'eth0 20', plain[2]],
    filters: '1',
  })
})

test('the management VLAN alone, and back', () => {
  expect(run({ br0: 'native=30\n' })).toEqual({
    vlans: ['br0 30 PVID Egress Untagged', plain[1], plain[2]],
    filters: '1',
  })
  expect(run({ br0: 'native=40\n' }).vlans).toEqual(['br0 40 PVID Egress Untagged', plain[1], plain[2]])
  expect(run({})).toEqual({ vlans: plain, filters: '0' })
})

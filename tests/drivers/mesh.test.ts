import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DesiredDocument, NativeBlock, TakenItem } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { meshRenderer as linux } from '@/server/drivers/linux/mesh'
import type { Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { meshRenderer as openwrt } from '@/server/drivers/openwrt/mesh'
import { readProbe } from '@/server/drivers/openwrt/probe'
import { parseShow } from '@/server/drivers/openwrt/push'
import { unmarked } from '@/server/drivers/unix/secret'
import { startSshServer } from './ssh-server'

const set = { enabled: true, meshId: "It's a mesh", key: 'correct horse' }
const mesh = (data: object): DesiredDocument => ({ id: 'mesh', kind: 'mesh', name: '', data: { ...data } })
const radio = (key: string, band: '2g' | '5g', more: object = {}) => ({
  ...{ key, name: key, band, country: 'DE', up: true, channel: 36 },
  ...more,
})
const seen: Observation = {
  ...{ takenAt: 0, depth: 'full', networks: [{ name: 'lan', device: 'br-lan' }] },
  radios: [radio('radio0', '2g'), radio('radio1', '5g'), radio('radio2', '5g')],
}
type More = { seen?: Partial<Observation>; capabilities?: string[]; documents?: DesiredDocument[]; taken?: TakenItem[] }
const render = (data: object, more: More = {}) =>
  openwrt.render({
    facts: { kind: 'ap', capabilities: more.capabilities ?? [] },
    observation: { ...seen, ...more.seen },
    documents: [mesh(data), ...(more.documents ?? [])],
    windowSeconds: 90,
    ...(more.taken && { taken: more.taken }),
  })
const codes = (made: { warnings: { code: string }[] }) => made.warnings.map(one => one.code)

/** The radio's channel is set from here: all access points have the same. */
const fixed: More = {
  documents: [{ id: 'radio', kind: 'radio', name: '', data: { channel5g: 36 } }],
  taken: [
    {
      id: 'uci:wireless.radio1',
      options: { channel: "'36'" },
      about: { type: 'wifi-device', band: '5g' },
    } as TakenItem,
  ],
}

test('W12: one section on the first radio of the band, with its hops and times; it is read back as it was planned', () => {
  const made = render({ ...set, cascades: 2, meshTime: 5 }, fixed)
  expect(codes(made)).toEqual([])
  expect(made.blocks).toHaveLength(1)
  const [block] = made.blocks as [NativeBlock]
  expect([block.id, block.kind, block.document]).toEqual(['uci:wireless.lw_mesh_radio1', 'mesh', 'mesh'])
  expect(unmarked(block.text)).toBe(
    [
      'wireless.lw_mesh_radio1=wifi-iface',
      "wireless.lw_mesh_radio1.device='radio1'",
      "wireless.lw_mesh_radio1.mode='mesh'",
      "wireless.lw_mesh_radio1.network='lan'",
      "wireless.lw_mesh_radio1.mesh_id='It'\\''s a mesh'",
      "wireless.lw_mesh_radio1.encryption='sae'",
      "wireless.lw_mesh_radio1.key='correct horse'",
      "wireless.lw_mesh_radio1.mesh_fwding='1'",
      "wireless.lw_mesh_radio1.mesh_ttl='2'",
      "wireless.lw_mesh_radio1.mesh_element_ttl='2'",
      "wireless.lw_mesh_radio1.mesh_plink_timeout='300'",
    ].join('\n'),
  )
  expect(parseShow(unmarked(block.text)).blocks.map(one => one.text)).toEqual([block.text])
  expect(render({ ...set, band: '2g' }).blocks.map(one => one.id)).toEqual(['uci:wireless.lw_mesh_radio0'])
  expect([render({ enabled: false }).blocks, codes(render({ enabled: false }))]).toEqual([[], []])
})

const wire = { key: 'eth0', name: 'eth0', type: 'ethernet' as const, master: 'br-lan', up: true }
const bridge = { key: 'br-lan', name: 'br-lan', type: 'bridge' as const }
test.each<[string, object, More]>([
  ['meshChannel', {}, {}],
  ['meshChannel', {}, { ...fixed, documents: [{ id: 'radio', kind: 'radio', name: '', data: { channel5g: 0 } }] }],
  ['meshCircle', {}, { ...fixed, seen: { interfaces: [bridge, wire] } }],
  ['radioDisabled', {}, { ...fixed, seen: { radios: [radio('radio1', '5g', { up: false })] } }],
  ['countryMissing', {}, { ...fixed, seen: { radios: [radio('radio1', '5g', { country: undefined })] } }],
])('is set, and says: %s', (code, data, more) => {
  const made = render({ ...set, ...data }, more)
  expect([codes(made), made.blocks.length]).toEqual([[code], 1])
})

test.each<[string, More]>([
  ['a spanning tree', { seen: { interfaces: [{ ...bridge, spanningTree: true }, wire] } }],
  ['no cable', { seen: { interfaces: [bridge, { ...wire, up: false }] } }],
])('says nothing of circles with %s', (_name, more) => expect(codes(render(set, { ...fixed, ...more }))).toEqual([]))

test.each<[string, object, More]>([
  ['meshMissing', {}, { capabilities: ['noMesh'] }],
  ['meshMissing', {}, { capabilities: ['noSae'] }],
  ['meshBand', {}, { seen: { radios: [radio('radio0', '2g')] } }],
  ['meshKey', { key: undefined }, {}],
  ['networkMissing', {}, { seen: { networks: [] } }],
])('is left out, and says why: %s', (code, data, more) => {
  const made = render({ ...set, ...data }, more)
  expect([codes(made), made.blocks]).toEqual([[code], []])
})

test('a device with Debian is left out, and says so', () => {
  expect(linuxDriver.renderers).toContain(linux)
  const input = { facts: { kind: 'ap' as const, capabilities: ['wifi'] }, observation: seen, windowSeconds: 90 }
  expect(codes(linux.render({ ...input, documents: [mesh(set)] }))).toEqual(['meshOpenwrt'])
  expect(codes(linux.render({ ...input, documents: [mesh({ enabled: false })] }))).toEqual([])
})

test('what somebody changed of it on the device can be taken into the settings', () => {
  const [planned] = render(set).blocks as [NativeBlock]
  const [changed] = render({ ...set, cascades: 1, meshTime: 60, key: 'another horse' }).blocks as [NativeBlock]
  expect(openwrt.adopt?.(changed, planned, [])).toEqual([
    { document: 'mesh', fields: { cascades: 1, meshTime: 60, key: 'another horse' } },
  ])
})

test('a push is proven by the carrier of its interface: there is no hostapd to ask', async () => {
  let asked = 0
  const status = { radio1: { up: true, interfaces: [{ section: 'lw_mesh_radio1', ifname: 'phy1-mesh0' }] } }
  const server = await startSshServer({
    auth: ({ method }) => method === 'none',
    exec(line) {
      if (line === 'ubus list') return { stdout: 'system\nnetwork.wireless\nnetwork.device\n' }
      if (line.includes('network.wireless')) return { stdout: JSON.stringify(status) }
      if (line.includes('network.device') && line.includes('phy1-mesh0'))
        return { stdout: JSON.stringify({ carrier: ++asked > 1 }) }
      return { stdout: '{}' }
    },
  })
  const credential = { type: 'ssh' as const, user: 'root' }
  const target = { address: '127.0.0.1', port: server.port, hostKey: server.fingerprint, credential }
  const session = await driver.connect(target, new AbortController().signal)
  const problems = await driver.verify(session, render(set))
  driver.close(session)
  await server.close()
  expect([problems, asked]).toEqual([[], 2])
})

test.each([
  ['built for it, on a radio that can', 0, '\t\t * mesh point', true],
  ['built without it', 1, '\t\t * mesh point', false],
  ['on a radio that cannot', 0, '\t\t * managed', false],
])('a mesh is possible with wpa_supplicant %s', async (_name, status, modes, possible) => {
  const folder = mkdtempSync(join(tmpdir(), 'mesh-'))
  const tools = { wpa_supplicant: `[ "$1" = -vmesh ] && exit ${status}`, iw: `echo '${modes}'` }
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  symlinkSync('/bin/grep', join(folder, 'grep'))
  const run = async (_shell: string, ...words: string[]) =>
    (await promisify(execFile)('/bin/sh', words, { env: { PATH: folder } as unknown as NodeJS.ProcessEnv })).stdout
  const probe = await readProbe({ run, ubus: async () => undefined, objects: new Set(), failed: new Set() })
  expect(probe?.tools.has('mesh')).toBe(possible)
  rmSync(folder, { recursive: true })
})

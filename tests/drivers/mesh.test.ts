import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DesiredDocument, NativeBlock } from '@/server/drivers/driver'
import { linuxDriver } from '@/server/drivers/linux/driver'
import { meshRenderer as linux } from '@/server/drivers/linux/wifi/mesh'
import type { Observation } from '@/server/drivers/observation'
import { openwrtDriver as driver } from '@/server/drivers/openwrt/driver'
import { readProbe } from '@/server/drivers/openwrt/uci/probe'
import { meshRenderer as openwrt } from '@/server/drivers/openwrt/wifi/mesh'
import { networkRoles } from './_network-roles'
import { startSshServer } from './ssh-server'

// What is made of a mesh is in golden/*/mesh; here is what follows from it.

const set = { enabled: true, meshId: "It's a mesh", key: 'correct horse' }
const mesh = (data: object): DesiredDocument => ({ id: 'mesh', kind: 'mesh', name: '', data: { ...data } })
const radio = (key: string, band: '2g' | '5g') => ({ key, name: key, band, country: 'DE', up: true, channel: 36 })
const seen: Observation = {
  ...{ takenAt: 0, depth: 'full', networks: [{ name: 'lan', device: 'br-lan' }], networkRoles },
  radios: [radio('radio0', '2g'), radio('radio1', '5g'), radio('radio2', '5g')],
}
const render = (data: object) =>
  openwrt.render({
    ...{ facts: { kind: 'ap', capabilities: [] }, observation: seen },
    ...{ documents: [mesh(data)], confirmSeconds: 90 },
  })

test('every driver with radios knows a mesh, if only to say that it has none', () => {
  expect(linuxDriver.renderers).toContain(linux)
  expect(driver.renderers).toContain(openwrt)
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
  const problems = await driver.selfCheck(session, render(set))
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

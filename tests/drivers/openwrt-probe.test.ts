import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readFacts } from '@/server/drivers/openwrt/observe/facts'
import { readProbe } from '@/server/drivers/openwrt/uci/probe'

// What a system can, by what its own files say: the probe's script runs on a folder that stands for them.

const nothing = {
  ...{ board: {}, boardJson: {}, dhcp: [], interfaces: [], radios: 1, ports: 0, leds: [] },
  objects: new Set<string>(),
}

async function capabilitiesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'))
  const lay = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
    chmodSync(join(folder, path), 0o755)
  }
  for (const [path, text] of Object.entries(files)) lay(path, text)
  // It has whatever it is asked for.
  lay('bin/hostapd', '#!/bin/sh\n')
  for (const tool of ['grep', 'head']) symlinkSync(`/usr/bin/${tool}`, join(folder, 'bin', tool))
  const run = async (_shell: string, ...words: string[]) => {
    const here = words.map(word => word.replaceAll('/usr/share/', `${folder}/usr/share/`))
    const env = { PATH: join(folder, 'bin') } as unknown as NodeJS.ProcessEnv
    return (await promisify(execFile)('/bin/sh', here, { env })).stdout
  }
  const probe = await readProbe({ run, ubus: async () => undefined, objects: new Set(), failed: new Set() })
  rmSync(folder, { recursive: true })
  return readFacts({ ...nothing, ...(probe && { probe }) }).capabilities
}

const scripts = 'usr/share/ucode/wifi/ap.uc'
test.each([
  ['in shell (24.10)', {}, { noWep: false, ucodeWifi: false }],
  ['in ucode (25.12), which know no WEP', { [scripts]: "case 'none':\n" }, { noWep: true, ucodeWifi: true }],
  ['in ucode, which know it', { [scripts]: "append('wep_key0')\n" }, { noWep: false, ucodeWifi: true }],
])('a hostapd built with WEP under Wi-Fi scripts %s', async (_name, files, expected) => {
  const has = await capabilitiesOf(files)
  expect(Object.fromEntries(Object.keys(expected).map(one => [one, has.includes(one)]))).toEqual(expected)
})

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kernelVlansScript } from '@/server/drivers/linux/base/kernel-vlans'
import { readScript } from '@/server/drivers/linux/base/script'
import { readFacts } from '@/server/drivers/linux/observe/facts'
import { newMark, parseParts } from '@/server/drivers/unix/parts'

// Whether a kernel has VLANs, by what its own files say: the script runs on a folder that stands for them.

async function capabilitiesOf(files: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kernel-'))
  mkdirSync(join(folder, 'proc'))
  for (const file of files) {
    const [path = '', text = ''] = file.split('=')
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const mark = newMark()
  const begin = readScript.slice(0, readScript.indexOf('run()'))
  const text = `${begin}${kernelVlansScript}part end; done_ 0`.replaceAll(/\/(?=proc\/|lib\/modules)/g, `${folder}/`)
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', text, 'sh', mark])
  rmSync(folder, { recursive: true })
  return readFacts(parseParts({ code: 0, stdout }, mark), [], 0, 0).capabilities
}

const modules = `lib/modules/${release()}`
const others = 'kernel/net/bridge/bridge.ko.xz:\n'
const vlans = 'kernel/net/8021q/8021q.ko.xz: kernel/net/802/mrp.ko.xz\n'

const loads = 'proc/modules='
const there = `${modules}/modules.dep=${others}`
test.each([
  ['that is not among its modules', [loads, there, `${modules}/modules.builtin=${others}`], true],
  ['without which it was built, and without modules', [], true],
  ['that is a module', [loads, `${there}${vlans}`], false],
  ['that is built in', [loads, there, `${modules}/modules.builtin=kernel/net/8021q/8021q.ko\n`], false],
  ['that is there already', [loads, there, 'proc/net/vlan/config='], false],
  ['that is built in, without modules', ['proc/net/vlan/config='], false],
  ['of which nothing is known', [loads], false],
  ['whose modules are those of another kernel', [loads, `lib/modules/1.0/modules.dep=${others}`], false],
])('802.1Q %s', async (_what, files, isMissing) => {
  expect((await capabilitiesOf(files)).includes('noVlan')).toBe(isMissing)
})

test('it is a part of every whole reading', () => {
  expect(readScript).toContain(kernelVlansScript)
})

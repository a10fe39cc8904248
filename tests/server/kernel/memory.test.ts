import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import node from '@/appliance/node-options.json'
import { type Channel, communityChannel } from '@/server/drivers/snmp/protocol/channel'
import { polledShapes, type Shape } from '@/server/drivers/snmp/tables/interfaces'
import { intern, internText } from '@/server/kernel/intern'
import { guardLog } from '@/server/kernel/log-lines'
import { toSources } from '@/server/kernel/traces'
import { root } from '../../appliance/_manager'

const ports = (device: number): Shape[] =>
  Array.from({ length: 28 }, (_, i) => ({
    key: String(i + 1),
    name: `port${i + 1}`,
    type: 'ethernet',
    mac: `02:00:00:00:${String(device).padStart(2, '0')}:${String(i).padStart(2, '0')}`,
    description: 'a port',
  }))

test('devices with the same ports share one list of them, whatever their MACs', () => {
  const [one, other] = [polledShapes(ports(1)), polledShapes(ports(2))]
  expect(one).toBe(other)
  expect(one).toHaveLength(28)
  expect(one[3]).toMatchObject({ key: '4', name: 'port4', type: 'ethernet' })
  expect(polledShapes(ports(1).slice(1))).not.toBe(one)
})

test('what is shared is bounded: values that devices make up push out, and large ones are not kept', () => {
  const [value, text] = [intern([1, 2]), 'a port']
  expect(intern([1, 2])).toBe(value)
  expect(internText(text)).toBe(text)
  for (let i = 0; i < 100; i++) intern([String(i).padStart(20_000, 'x')])
  expect(intern([1, 2])).not.toBe(value)
  const large = () => ['x'.repeat(200_000)]
  expect(intern(large())).not.toBe(intern(large()))
})

/** Bytes outside of the heap that are still held once all else is swept away. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const sweep = runInNewContext('gc')
  // What the first frees is counted out by the second.
  for (let i = 0; i < 2; i++) sweep()
  return process.memoryUsage().arrayBuffers
}

test('a session to a device holds none of the blocks in which short bytes lie', () => {
  const before = heldBytes()
  const open: Channel[] = []
  for (let i = 1; i <= 1000; i++) {
    open.push(communityChannel({ address: `127.0.0.${i % 250}`, port: 161, family: 4 }, 2, 'public'))
    // What others need meanwhile fills the block.
    Buffer.allocUnsafe(3000)
  }
  expect(heldBytes() - before).toBeLessThan(1_000_000)
  expect(open).toHaveLength(1000)
})

test('the service of the package starts Node with the options of npm start', () => {
  const unit = readFileSync(`${root}/appliance/package/debian/lanward.service`, 'utf8')
  expect(unit).toContain(`ExecStart=/usr/lib/lanward/node ${node.options.join(' ')} /usr/lib/lanward/dist/serve.mjs`)
  for (const [name, value] of Object.entries(node.environment)) expect(unit).toContain(`Environment=${name}=${value}`)
})

test('source maps lose the sources’ texts and still lead to file and line', () => {
  const { folder, said } = built()
  const slim = `import('${root}/appliance/build/source-maps.mjs').then(one => one.slimMaps('${folder}'))`
  execFileSync(process.execPath, ['-e', slim])
  expect(readFileSync(`${folder}/a.js.map`, 'utf8')).not.toContain('sourcesContent')
  expect(toSources(said())).toContain(`${folder}/harbour.ts:3`)
  rmSync(folder, { recursive: true })
})

test('a trace of the log names the sources, by a map beside the file or in it; what has none stays as it is', () => {
  const { folder, map, said } = built()
  const trace = said()
  expect(trace).toContain(`${folder}/a.js:1:`)
  const written: string[] = []
  const stream = { write: (chunk: string | Uint8Array) => written.push(String(chunk)) > 0 }
  guardLog([stream])
  stream.write(`poll of device 3: ${trace}`)
  expect(written.join('')).toContain(`${folder}/harbour.ts:3:`)
  expect(written.join('')).not.toContain('a.js')
  const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`
  writeFileSync(`${folder}/b.mjs`, `console.log(new Error().stack)\n${inline}`)
  expect(toSources(`Error\n    at file://${folder}/b.mjs:1:13`)).toBe(`Error\n    at ${folder}/harbour.ts:3:13`)
  const without = `Error\n    at run (${folder}/c.js:1:13)\n    at node:internal/main:22:47`
  expect(toSources(without)).toBe(without)
  const noTrace = `saved ${folder}/a.js:1:13`
  expect(toSources(noTrace)).toBe(noTrace)
  rmSync(folder, { recursive: true })
})

/** A built file of one line that says where it is, and its map, in a folder of its own. */
function built() {
  const folder = mkdtempSync(`${tmpdir()}/lanward-maps-`)
  const part = { version: 3, sources: ['harbour.ts'], sourcesContent: ['\n\nsource'], names: [], mappings: 'AAEA' }
  const map = { version: 3, sources: [], sections: [{ offset: { line: 0, column: 0 }, map: part }] }
  writeFileSync(`${folder}/a.js.map`, JSON.stringify(map))
  writeFileSync(`${folder}/a.js`, 'console.log(new Error().stack)\n//# sourceMappingURL=a.js.map\n')
  const said = () => execFileSync(process.execPath, [`${folder}/a.js`], { encoding: 'utf8' })
  return { folder, map, said }
}

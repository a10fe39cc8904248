import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import node from '@/appliance/node-options.json'
import { polledShapes, type Shape } from '@/server/drivers/snmp/interfaces'
import { intern, internText } from '@/server/kernel/intern'
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

test('the service of the package starts Node with the options of npm start', () => {
  const unit = readFileSync(`${root}/appliance/package/debian/lanward.service`, 'utf8')
  expect(unit).toContain(`ExecStart=/usr/lib/lanward/node ${node.options.join(' ')} /usr/lib/lanward/dist/serve.mjs`)
  for (const [name, value] of Object.entries(node.environment)) expect(unit).toContain(`Environment=${name}=${value}`)
})

test('source maps lose the sources’ texts, which would stay in memory, and still lead to file and line', () => {
  const folder = mkdtempSync(`${tmpdir()}/lanward-maps-`)
  const part = { version: 3, sources: ['harbour.ts'], sourcesContent: ['\n\nsource'], names: [], mappings: 'AAEA' }
  const map = { version: 3, sources: [], sections: [{ offset: { line: 0, column: 0 }, map: part }] }
  writeFileSync(`${folder}/a.js.map`, JSON.stringify(map))
  writeFileSync(`${folder}/a.js`, 'console.log(new Error().stack)\n//# sourceMappingURL=a.js.map\n')
  const slim = `import('${root}/appliance/build/source-maps.mjs').then(one => one.slimMaps('${folder}'))`
  execFileSync(process.execPath, ['-e', slim])
  expect(readFileSync(`${folder}/a.js.map`, 'utf8')).not.toContain('sourcesContent')
  const said = execFileSync(process.execPath, ['--enable-source-maps', `${folder}/a.js`], { encoding: 'utf8' })
  expect(said).toContain('harbour.ts:3')
  rmSync(folder, { recursive: true })
})

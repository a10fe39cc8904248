import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { zoneNames } from '@/model/places'
import { zonesByName } from '@/model/zone-names'
import { readScript } from '@/server/drivers/linux/base/script'
import { lacksZone, zonesScript } from '@/server/drivers/linux/base/zones'
import { readFacts } from '@/server/drivers/linux/observe/facts'
import { newMark, parseParts } from '@/server/drivers/unix/parts'

// Which zones a device knows, by its own files: the script runs on a folder that stands for them.

const every = [...new Set([...zonesByName().values()].map(zone => zone.name))]

/** The capabilities of a device whose tz database has these names; undefined: it has no database. */
async function capabilitiesOf(names: readonly string[] | undefined): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'zones-'))
  for (const name of names ?? []) {
    mkdirSync(join(folder, 'usr/share/zoneinfo', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'usr/share/zoneinfo', name), '')
  }
  const mark = newMark()
  const begin = readScript.slice(0, readScript.indexOf('run()'))
  const text = `${begin}${zonesScript}part end; done_ 0`.replaceAll('/usr/share', `${folder}/usr/share`)
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', text, 'sh', mark])
  rmSync(folder, { recursive: true })
  return readFacts(parseParts({ code: 0, stdout }, mark), [], 0, 0).capabilities
}

test.each([
  ['by its present name alone', 'Europe/Kyiv'],
  ['by a former name alone', 'Europe/Kiev'],
])('a zone that the device has %s is known, the others are not', async (_what, name) => {
  const can = await capabilitiesOf([name])
  expect(['Europe/Kyiv', 'Europe/Kiev', 'Europe/Zaporozhye'].filter(zone => lacksZone(can, zone))).toEqual([])
  expect(lacksZone(can, 'Europe/Berlin')).toBe(true)
})

test('a database of before a zone came lacks that one alone', async () => {
  const can = await capabilitiesOf(every.filter(name => name !== 'America/Coyhaique'))
  expect(can).toEqual(['noZone:America/Coyhaique'])
  expect(every.filter(zone => lacksZone(can, zone))).toEqual(['America/Coyhaique'])
})

test('what lies among the copies for other clocks is no zone', async () => {
  const can = await capabilitiesOf([
    ...every.filter(name => name !== 'Asia/Tokyo'),
    'posix/Asia/Tokyo',
    'right/Asia/Tokyo',
  ])
  expect(can).toEqual(['noZone:Asia/Tokyo'])
})

test('without a database no zone is known; what tells nothing lacks none', async () => {
  expect(lacksZone(await capabilitiesOf(undefined), 'UTC')).toBe(true)
  expect(lacksZone([], 'UTC')).toBe(false)
})

test('the names of a zone, by any of them, the present one first', () => {
  expect(zoneNames('Asia/Calcutta')).toEqual(['Asia/Kolkata', 'Asia/Calcutta'])
  expect(zoneNames('Asia/Kolkata')).toEqual(zoneNames('Asia/Calcutta'))
  expect(zoneNames('Europe/Berlin')).toEqual(['Europe/Berlin'])
})

test('it is a part of every whole reading', () => {
  expect(readScript).toContain(zonesScript)
})

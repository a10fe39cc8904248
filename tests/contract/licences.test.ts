// Everything that goes out with the manager stands on its page About with the text of its licence.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { codes } from '@/model/codes'
import { finishedWizard, type Manager, startTestManager } from '../server/_manager'

type Part = { name: string; version: string; licence: string }

const script = `const { collectLicences } = await import('${process.cwd()}/appliance/build/licences.mjs')
console.log(JSON.stringify(collectLicences('${process.cwd()}')))`
const folder = mkdtempSync(`${tmpdir()}/lanward-licences-`)
let manager: Manager
let parts: Part[]
let ask: (path: string, body?: unknown) => Promise<{ retCode: number; data: Record<string, unknown> }>

beforeAll(async () => {
  const made = execFileSync(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 32 * 1024 * 1024 })
  mkdirSync(`${folder}/dist`)
  writeFileSync(`${folder}/dist/licences.json`, made)
  manager = await startTestManager()
  const browser = await finishedWizard(manager)
  manager.runtime.config.root = folder
  ask = browser.post
  parts = (await ask('licences/list')).data.result as Part[]
})
afterAll(async () => {
  await manager.stop()
  rmSync(folder, { recursive: true, force: true })
})

const textOf = async ({ name, version }: Part) => String((await ask('licences/get', { name, version })).data.text)

test('every package that the manager runs on is there with its version and its licence’s text', async () => {
  const wanted = JSON.parse(readFileSync('package.json', 'utf8')).dependencies as Record<string, string>
  for (const [name, version] of Object.entries(wanted))
    expect(parts).toContainEqual({ name, version, licence: expect.stringMatching(/\S/) })
  for (const part of parts)
    expect([part.name, await textOf(part)]).toEqual([part.name, expect.stringMatching(/copyright|licen[cs]e|\bMIT\b/i)])
})

test('what stands on is there, too: Node, the font, what Next carries inside; what is for development alone is not', async () => {
  const named = (name: string) => parts.find(part => part.name === name)
  expect(named('Node.js')).toMatchObject({ version: process.versions.node, licence: 'MIT' })
  expect(await textOf(named('Inter') as Part)).toContain('SIL OPEN FONT LICENSE')
  expect(await textOf(named('next › acorn') as Part)).toContain('Permission is hereby granted')
  expect(named('typescript')).toBeUndefined()
  expect(named('@biomejs/biome')).toBeUndefined()
})

test('a package that names its licence and brings no text gets the licence’s own', async () => {
  const text = await textOf(parts.find(part => part.name === '@next/env') as Part)
  expect(text).toMatch(/^Copyright \(c\) .+\n\nPermission is hereby granted/)
})

test('one that is not there, and a manager without a list, say so', async () => {
  expect((await ask('licences/get', { name: 'nothing' })).retCode).toBe(codes.licenceNotFound)
  manager.runtime.config.root = '/nonexistent'
  expect((await ask('licences/list')).data).toEqual({ result: [], total: 0, page: 1, pageSize: 1 })
})

import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { guideSteps } from '@/model/guide'
import { freePort, removeFolder, startManager } from '../appliance/_manager'
import { executablePath, signedIn } from '../browser/_browser'
import { clientOf } from '../soak/client'
import { signIn } from '../soak/kills'
import { seedFleet } from './seed'
import { seedHistory } from './seed-history'
import { type Row, row } from './table'

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
const charts = 4
const interfaces = 28
/** What a page does once it is there (parts that fade in, a reading that comes late) is no chart's. */
const restMs = 10_000
const windowMs = 10_000

type Process = { pid: number; parent: number; name: string; seconds: number }

/** proc(5): the name is in brackets and may hold blanks; utime and stime count in hundredths of a second. */
function processOf(pid: string): Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    const seconds = (Number(fields[11]) + Number(fields[12])) / 100
    return [{ pid: Number(pid), parent: Number(fields[1]), name: text.slice(text.indexOf('(') + 1, end), seconds }]
  } catch {
    return []
  }
}

/** CPU seconds so far of all processes of the browser that this one started. */
function browserSeconds(): number {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(processOf)
  const under = (pid: number): Process[] =>
    all.filter(one => one.parent === pid).flatMap(one => [one, ...under(one.pid)])
  return under(process.pid).reduce((sum, { name, seconds }) => (name.startsWith('chrom') ? sum + seconds : sum), 0)
}

/** Of one core, in percent, from when the page has come to rest. */
async function browserShare(): Promise<number> {
  await wait(restMs)
  const begun = { at: performance.now(), seconds: browserSeconds() }
  await wait(windowMs)
  return ((browserSeconds() - begun.seconds) / (performance.now() - begun.at)) * 100_000
}

/** In the page: all charts are drawn. */
const drawn = (count: number) => document.querySelectorAll('.line-chart canvas').length === count

/** What Chromium takes while a mouse rests on one of a device's charts, beside what it takes for an empty page; needs Chromium. */
export async function measureCharts(): Promise<Row[]> {
  const name = `${charts} charts under a mouse that rests: Chromium`
  if (!existsSync(executablePath)) return [{ what: name, figure: 'no Chromium here', aim: '', met: undefined }]
  const data = mkdtempSync(`${tmpdir()}/lanward-bench-`)
  // Nothing answers there: the device is as its history says.
  const network = await seedFleet(data, 1, await freePort())
  seedHistory(`${data}/gen-1/history.sqlite`, { devices: 1, network, interfaces })
  const manager = await startManager({ data, env: { LANWARD_SETUP_CODE: 'off' } })
  try {
    const client = clientOf(manager.http)
    await signIn(client)
    await client.must('guide/step', { step: guideSteps.seen })
    const { browser, page } = await signedIn(manager.http)
    try {
      await page.goto('about:blank')
      const empty = await browserShare()
      await page.goto(`/network/${network}/devices/detail?id=1`)
      await page.waitForFunction(drawn, charts)
      await page.locator('.line-chart .u-over').first().hover()
      await page.locator('.chart-tip').waitFor()
      const open = await browserShare()
      const unit = '% of a core'
      return [
        row(name, open, unit, undefined),
        row('an empty page, the same', empty, unit, undefined),
        row(`a chart of them, with its share of the page`, (open - empty) / charts, unit, 1),
      ]
    } finally {
      await browser.close()
    }
  } finally {
    await manager.stop()
    removeFolder(data)
  }
}

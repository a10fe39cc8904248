import { performance } from 'node:perf_hooks'
import { layoutOf } from '@/app/(console)/network/[networkId]/insight/topology/_parts/layout'
import { wiringOf } from '../app/topology/_wiring'
import { startManager } from '../appliance/_manager'
import { launch } from '../browser/_browser'
import { clientOf } from '../soak/client'
import { prepareWizard } from '../soak/kills'
import { owner } from '../soak/owner'
import { percentile, type Row, row } from './table'

const count = 1000
const rounds = 20

/** Layout alone, ms. */
function layoutTimes(): number[] {
  const wiring = wiringOf(count)
  return Array.from({ length: rounds }, () => {
    const begun = performance.now()
    layoutOf(wiring)
    return performance.now() - begun
  })
}

/** In the page: the times between frames, ms, while the drawing is moved by a pointer each frame. */
async function panned(steps: number): Promise<number[]> {
  const drawing = document.querySelector('.topo-drawing')
  if (!drawing) return []
  const point = (type: string, x: number) =>
    drawing.dispatchEvent(
      new PointerEvent(type, { pointerId: 7, pointerType: 'touch', clientX: x, clientY: 400, bubbles: true }),
    )
  // Without a finger that is really there nothing can be captured.
  ;(drawing as HTMLElement).setPointerCapture = () => undefined
  point('pointerdown', 500)
  const frame = () => new Promise<number>(done => requestAnimationFrame(done))
  const taken: number[] = []
  let last = await frame()
  for (let at = 1; at <= steps; at++) {
    point('pointermove', 500 + (at % 40 < 20 ? at : -at))
    const now = await frame()
    taken.push(now - last)
    last = now
  }
  point('pointerup', 500)
  return taken
}

/** A network of a thousand devices: its layout, its drawing in Chromium from the answer on, and frames while it is panned. */
export async function measureTopology(): Promise<Row[]> {
  const layout = layoutTimes()
  const manager = await startManager({ env: { LANWARD_SETUP_CODE: 'off' } })
  const browser = await launch(manager.https)
  try {
    const client = clientOf(manager.http)
    await prepareWizard(client)
    await client.must('wizard/finish')
    const page = await browser.page()
    await browser.signIn(page, owner.account, owner.password)
    const body = JSON.stringify({ retCode: 0, data: wiringOf(count), type: 'ok' })
    let answered = 0
    await page.route('**/app/topology/get', async route => {
      answered = performance.now()
      await route.fulfill({ contentType: 'application/json', body })
    })
    await page.goto('/network/1/insight/topology?view=map')
    await page.waitForFunction(all => document.querySelectorAll('[data-node]').length === all, count)
    const drawn = (performance.now() - answered) / 1000
    const near = await page.evaluate(panned, 120)
    await page.getByRole('button', { name: 'Fit to view' }).click()
    const whole = await page.evaluate(panned, 120)
    const named = (what: string, frames: number[]) => [
      row(`topology of ${count} devices, panned ${what}: a frame, median`, percentile(frames, 0.5), 'ms', 34, 1),
      row(`topology of ${count} devices, panned ${what}: a frame, p95`, percentile(frames, 0.95), 'ms', 50, 1),
    ]
    return [
      row(`topology of ${count} devices: layout (slowest of ${rounds})`, percentile(layout, 1), 'ms', 1000, 1),
      row(`topology of ${count} devices: from the answer to the drawing`, drawn, 's', 1),
      ...named('from near', near),
      ...named('as a whole', whole),
    ]
  } finally {
    await browser.close()
    await manager.stop()
  }
}

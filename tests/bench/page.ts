import { performance } from 'node:perf_hooks'
import { launch } from '../browser/_browser'
import { owner } from '../soak/owner'
import { percentile, type Row, row } from './table'

const patienceMs = 120_000

/** In the page: every part is there, none waits, and the chart is drawn. */
const complete = () =>
  document.querySelectorAll('main .card').length > 3 &&
  document.querySelectorAll('.skeleton').length === 0 &&
  [...document.querySelectorAll('.line-chart')].every(chart => chart.querySelector('canvas'))

/** From navigation, with an empty cache, until the dashboard's last part holds data: Chromium, seconds. */
export async function measureDashboard(base: string, network: number): Promise<Row[]> {
  const browser = await launch(base)
  try {
    const page = await browser.page()
    await browser.signIn(page, owner.account, owner.password)
    const session = await page.context().newCDPSession(page)
    const taken: number[] = []
    for (let i = 0; i < 7; i++) {
      await page.goto('about:blank')
      await session.send('Network.clearBrowserCache')
      const begun = performance.now()
      await page.goto(`/network/${network}/dashboard`, { waitUntil: 'commit', timeout: patienceMs })
      await page.getByRole('heading', { level: 1 }).waitFor({ timeout: patienceMs })
      await page.waitForFunction(complete, undefined, { timeout: patienceMs })
      taken.push((performance.now() - begun) / 1000)
    }
    const name = 'dashboard, cache empty, to the last part with data'
    return [
      row(`${name} (median of ${taken.length})`, percentile(taken, 0.5), 's', 1.5),
      row(`${name} (slowest)`, percentile(taken, 1), 's', 1.5),
    ]
  } finally {
    await browser.close()
  }
}

// A console with the lab's real wiring, whose drawing a person looks at.
import type { Page } from 'playwright-core'
import { lab, until } from '../lab/_lab'
import { type Console, openConsole } from './_console'

export let here: Console
export let page: Page

type Link = { upper: { node: string }; lower: { node: string }; certainty: string }

/** The drawn cables of the lab are all there. */
async function wired(): Promise<void> {
  await until(
    async () => {
      for (const id of [1, 2, 3]) await here.client.must('devices/sync', { networkId: 1, id })
      const { links } = (await here.client.must('topology/get', { networkId: 1 })) as { links: Link[] }
      const told = links
        .filter(one => one.certainty === 'certain')
        .map(one => [one.upper.node, one.lower.node].join(' '))
      return ['d1 d2', 'd2 d3'].every(cable => told.includes(cable))
    },
    { timeoutMs: 180_000, everyMs: 3000 },
  )
}

export async function begin(): Promise<void> {
  here = await openConsole()
  page = here.page
  await Promise.all([lab.reset('gw'), lab.reset('ap1'), lab.reset('sw1')])
  await here.adoptAll()
  await wired()
}
export const end = () => here?.close()

export const node = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })
export const side = (name: string | RegExp) => page.getByRole('complementary', { name })
export const transform = () => page.locator('.topo-drawing > g').first().getAttribute('transform')
export const open = async (query = '') => {
  await page.goto(`/network/1/insight/topology${query}`)
  await here.heading('Topology')
  await node('sw1').waitFor()
}

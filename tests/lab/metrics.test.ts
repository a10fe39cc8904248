// Metrics of a real switch in Debian's own Prometheus and VictoriaMetrics, on a station of the lab.
import { grafanaQueries } from '@/server/insight/metrics/grafana'
import { startMetrics, writeNow } from '@/server/insight/metrics/store'
import { managerWith, overSnmp } from './_change'
import { addressOf, lab, until } from './_lab'

let one: Awaited<ReturnType<typeof managerWith>>
let at: string
const ports = { prometheus: 9090, victoria: 8428 }
const starts = {
  prometheus: `printf 'global: {}' >/run/metrics.yml; exec prometheus --config.file=/run/metrics.yml \\
    --web.enable-remote-write-receiver --storage.tsdb.path=/run/prometheus`,
  victoria: 'exec victoria-metrics -storageDataPath=/run/victoria -search.latencyOffset=0',
}
type Store = keyof typeof ports

async function start(store: Store): Promise<void> {
  const line = `setsid sh -c '${starts[store].replaceAll("'", `'"'"'`)}' >/run/${store}.log 2>&1 </dev/null & echo $! >/run/${store}.pid`
  await lab.in('c1', ['sh', '-c', line])
  await until(async () => (await fetch(`http://${at}:${ports[store]}/api/v1/query?query=1`).catch(() => undefined))?.ok)
}

async function asked(store: Store, query: string) {
  const answer = await fetch(`http://${at}:${ports[store]}/api/v1/query?query=${encodeURIComponent(query)}`)
  const { status, error, data } = (await answer.json()) as {
    status: string
    error?: string
    data?: { result: { metric: Record<string, string>; value: [number, string] }[] }
  }
  return { status, error, result: data?.result ?? [] }
}

beforeAll(async () => {
  await lab.up()
  at = await addressOf('c1')
  one = await managerWith([await overSnmp()])
  startMetrics(one.runtime(), { verifiedAt: async () => undefined })
  await Promise.all([start('prometheus'), start('victoria')])
})
afterAll(async () => {
  for (const store of Object.keys(ports)) await lab.in('c1', ['sh', '-c', `kill $(cat /run/${store}.pid)`])
  await one?.end()
})

test.each(Object.keys(ports) as Store[])('%s takes what is written, equal to what the device counts', async store => {
  const url = `http://${at}:${ports[store]}/api/v1/write`
  const { revision } = (await one.ok('settings/metricsStore/get')) as { revision: number }
  await one.ok('settings/metricsStore/save', { revision, enabled: true, url })
  await writeNow(one.runtime())
  // Joins go on over a new name: the series with the former one is ended.
  await one.ok('devices/config/save', { id: one.ids[0], name: `with-${store}` })
  await writeNow(one.runtime())
  expect(await one.ok('metrics/status')).toMatchObject({ last: { ok: true, error: '' }, waiting: 0, dropped: 0 })
  const { interfaces } = (await one.ok('devices/info', { id: one.ids[0] })).reading as unknown as {
    interfaces: { name: string; counters?: { inOctets?: number } }[]
  }
  const counted = interfaces.filter(port => port.counters?.inOctets !== undefined)
  expect(counted.length).toBeGreaterThan(2)
  const { result } = await until(async () => {
    const answer = await asked(store, 'lanward_interface_receive_bytes_total')
    return answer.result.length >= counted.length && answer
  })
  // The reading may be newer than what was written: never less.
  for (const { name, counters } of counted) {
    const stored = Number(result.find(row => row.metric.interface === name)?.value[1])
    expect(stored).toBeLessThanOrEqual(counters?.inOctets ?? -1)
    expect(stored).toBeGreaterThanOrEqual(0)
  }
  for (const query of grafanaQueries())
    expect([query, await asked(store, query.replaceAll('$network', '.*'))]).toEqual([
      query,
      expect.objectContaining({ status: 'success' }),
    ])
})

test('the text of a scrape is taken by a store, value by value', async () => {
  const answer = await one.browser.raw('metrics', { method: 'GET' })
  const body = await answer.text()
  const taken = await fetch(`http://${at}:${ports.victoria}/api/v1/import/prometheus?extra_label=way=text`, {
    method: 'POST',
    body,
  })
  expect(taken.status).toBe(204)
  const series = body.split('\n').filter(line => line && !line.startsWith('#')).length
  await until(async () => {
    const { result } = await asked('victoria', 'count({way="text"})')
    return Number(result[0]?.value[1]) === series
  })
})

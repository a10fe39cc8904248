import { randomUUID } from 'node:crypto'
import { runtimeIfReady } from '@/server/kernel/runtime'

/** Another after each start: who waits for a restart knows by it that it is over. */
const run = randomUUID()

/** For service supervisors: 200 once the database answers, 503 before. Says nothing about the network. */
export function GET() {
  const runtime = runtimeIfReady()
  const alive = runtime?.sqlite.prepare('SELECT 1 AS one').get() !== undefined
  return Response.json(
    { status: alive ? 'up' : 'starting' },
    { status: alive ? 200 : 503, headers: { 'cache-control': 'no-store', 'x-lanward-run': run } },
  )
}
export const dynamic = 'force-dynamic'

import { and, eq, isNull } from 'drizzle-orm'
import { alerts, networks } from '@/db/schema'
import { type PortalName, portalName } from '@/server/devices/change/plan/portal-name'
import { gatewaysOf } from '@/server/guests/sessions/place'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { guestLans } from '@/server/networks/settings/portals'
import { deviceAlert, recoverAlerts } from '@/server/notify/alerts/raise'
import { gatewayRow, isStale } from './announced'

// Certificates come, and end. What gateways are to tell phones changes with them, and waits for a push like any change;
// that a gateway still tells them what is wrong by now is an alert.

const everyMs = 600_000
/** Said in the process when another was installed. */
const certificateNews = 'lanward:certificate' as NodeJS.Signals
const type = 'portalUntrusted'

const isRaised = ({ db }: Runtime, device: number): boolean =>
  db
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(eq(alerts.device, device), eq(alerts.type, type), isNull(alerts.recoveredAt)))
    .get() !== undefined

async function judgeGateway(runtime: Runtime, id: number, named: PortalName): Promise<void> {
  const stale = await isStale(runtime, id, named)
  const raised = isRaised(runtime, id)
  const device = stale === raised ? undefined : gatewayRow(runtime, id)
  if (!device) return
  if (stale) deviceAlert(runtime, device, type, {})
  else recoverAlerts(runtime, device, type)
}

type Last = { key?: string }
const last = part<Last>('portalNameLast', () => ({}))

/** What is said of it, and plans are made by, is another by all but the certificate's end. */
const keyOf = (named: PortalName) => ('name' in named ? `${named.name} ${named.known}` : named.why)

function tellPlans({ db, bus }: Runtime, network: number): void {
  const row = db.select({ organization: networks.organization }).from(networks).where(eq(networks.id, network)).get()
  if (row) bus.emit({ topic: 'settings', organization: row.organization, network })
}

/** Says what the certificate of now means to each gateway that has guests. */
export async function lookAtAnnounced(runtime: Runtime): Promise<void> {
  const named = portalName(runtime.config)
  const lans = guestLans(runtime.db, runtime.secrets)
  const held = last.of(runtime)
  const isNew = held.key !== undefined && held.key !== keyOf(named)
  held.key = keyOf(named)
  for (const network of new Set(lans.map(one => one.network))) {
    const own = lans.filter(one => one.network === network)
    const gateways = new Set(own.flatMap(({ lan }) => gatewaysOf(runtime, network, lan)))
    for (const id of gateways) await judgeGateway(runtime, id, named)
    if (isNew) tellPlans(runtime, network)
  }
}

export function startAnnounced(runtime: Runtime): void {
  const look = () => void lookAtAnnounced(runtime).catch(error => console.error('guests:', error))
  runtime.jobs.start({ id: 'portal-announced', every: everyMs, run: () => lookAtAnnounced(runtime) })
  process.on(certificateNews, look)
  runtime.closers.push(() => {
    process.off(certificateNews, look)
  })
  look()
}

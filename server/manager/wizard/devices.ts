import { type AdoptRequest, type Examined, examine } from '@/server/devices/adoption/adopt'
import type { AdoptionItem } from '@/server/devices/adoption/adoption-job'
import { fleetOf } from '@/server/devices/link/fleet'
import type { BaseContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { limiter } from '@/server/kernel/limiter'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { requireWizard } from './access'
import { readDraft, saveDraft } from './draft'

// The wizard's devices are examined now and become rows when it finishes: what lies between is in the sealed draft.

const together = 8
/** The sweep of the wizard: no network has this number. */
export const wizardNetwork = 0

/** Nobody's device is contacted before there is somebody: the account step comes first. */
export function requireAccount(context: BaseContext): void {
  requireWizard(context)
  if (!readDraft(context.runtime).account) fail('wizardIncomplete', { step: 'account' })
}

/** How the adoption of this wizard goes, in memory; what was examined is in the draft. */
type Running = { items: AdoptionItem[] }
const adoption = part<Running>('wizardAdoption', () => ({ items: [] }))

function keep(runtime: Runtime, one: Examined): void {
  const others = (readDraft(runtime).devices ?? []).filter(
    other =>
      (other.address !== one.address || other.port !== one.port) &&
      (!one.facts.mac || other.facts.mac !== one.facts.mac),
  )
  saveDraft(runtime, { devices: [...others, one] })
}

async function adoptOne(runtime: Runtime, request: AdoptRequest, item: AdoptionItem): Promise<void> {
  item.state = 'running'
  const outcome = await examine(fleetOf(runtime), request, step => {
    item.step = step
  })
  if ('failure' in outcome) {
    Object.assign(item, { state: 'failed', step: outcome.failure.step, failure: outcome.failure })
    return
  }
  const { name, openLogin } = outcome.examined
  keep(runtime, outcome.examined)
  Object.assign(item, { state: 'adopted', step: 'saved', name, openLogin })
}

/** Examines devices in the background, eight at a time; one that is asked for again takes its former item's place. */
export function startWizardAdoption(runtime: Runtime, requests: readonly AdoptRequest[]): void {
  const running = adoption.of(runtime)
  const busy = running.items
    .filter(item => item.state === 'running' || item.state === 'waiting')
    .map(item => item.address)
  const fresh = requests.filter(request => !busy.includes(request.address))
  const items = fresh.map(({ address }): AdoptionItem => ({ address, state: 'waiting' }))
  running.items = [...running.items.filter(item => !fresh.some(request => request.address === item.address)), ...items]
  const doors = limiter(together)
  for (const [at, request] of fresh.entries()) {
    const item = items[at] as AdoptionItem
    void doors
      .run(() => adoptOne(runtime, request, item))
      .catch(error => {
        console.error('adoption:', error)
        Object.assign(item, { state: 'failed', failure: { step: 'reach', reason: 'internal', detail: '' } })
      })
  }
}

export const wizardAdoption = (runtime: Runtime): AdoptionItem[] => adoption.of(runtime).items

/** Takes a device out of the draft again. */
export function dropDevice(runtime: Runtime, address: string): void {
  saveDraft(runtime, { devices: (readDraft(runtime).devices ?? []).filter(one => one.address !== address) })
  const running = adoption.of(runtime)
  running.items = running.items.filter(item => item.address !== address)
}

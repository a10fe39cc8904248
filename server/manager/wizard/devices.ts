import { type AdoptionItem, eachDevice, tellFailure, tellStep } from '@/server/devices/adoption/adoption-job'
import { type AdoptRequest, type Examined, examine } from '@/server/devices/adoption/examine'
import type { BaseContext } from '@/server/kernel/call'
import { fail } from '@/server/kernel/fail'
import { part } from '@/server/kernel/part'
import type { Runtime } from '@/server/kernel/runtime'
import { requireWizard } from './access'
import { readDraft, saveDraft } from './draft'

// The wizard's devices are examined now and become rows when it finishes: what lies between is in the sealed draft.

/** The sweep of the wizard: no network has this number. */
export const wizardNetwork = 0

/** Nobody's device is contacted before there is somebody: the account step comes first. */
export function requireAccount(context: BaseContext): void {
  requireWizard(context)
  if (!readDraft(context.runtime).account) fail('wizardIncomplete', { step: 'account' })
}

/** How the adoption of this wizard goes, in memory; what was examined is in the draft. `cancels`: those under way. */
type Running = { items: AdoptionItem[]; cancels: Set<AbortController> }
const adoption = part<Running>('wizardAdoption', () => ({ items: [], cancels: new Set() }))

function keep(runtime: Runtime, one: Examined): void {
  const others = (readDraft(runtime).devices ?? []).filter(
    other =>
      (other.address !== one.address || other.port !== one.port) &&
      (!one.facts.mac || other.facts.mac !== one.facts.mac),
  )
  saveDraft(runtime, { devices: [...others, one] })
}

async function adoptOne(runtime: Runtime, request: AdoptRequest, item: AdoptionItem, signal: AbortSignal) {
  const outcome = await examine(runtime, request, { signal, onStep: tellStep(item) })
  if ('failure' in outcome) return tellFailure(item, outcome.failure, outcome.tries)
  const { tries } = outcome
  const { name, openLogin } = outcome.examined
  keep(runtime, outcome.examined)
  Object.assign(item, { state: 'adopted', step: 'saved', name, openLogin, tries })
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
  const control = new AbortController()
  const { signal } = control
  running.cancels.add(control)
  void eachDevice({ requests: fresh, items, signal }, (request, item) =>
    adoptOne(runtime, request, item, signal),
  ).finally(() => running.cancels.delete(control))
}

/** Ends what is under way; what was adopted by then stays. */
export function cancelWizardAdoption(runtime: Runtime): void {
  for (const control of adoption.of(runtime).cancels) control.abort()
}

export const wizardAdoption = (runtime: Runtime): AdoptionItem[] => adoption.of(runtime).items

/** Takes a device out of the draft again. */
export function dropDevice(runtime: Runtime, address: string): void {
  saveDraft(runtime, { devices: (readDraft(runtime).devices ?? []).filter(one => one.address !== address) })
  const running = adoption.of(runtime)
  running.items = running.items.filter(item => item.address !== address)
}

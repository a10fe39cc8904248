import { isDone, updateDeployment } from '../plan/deployments'
import type { Engine } from '../plan/plan'
import {
  confirmDeployment,
  type Ended,
  neverSent,
  type Prepared,
  type Proven,
  prepareDeployment,
  proveDeployment,
  sendDeployment,
  takeBack,
} from './engine'
import type { Why } from './verification'

// Devices that change as one: all are prepared before any is touched, all prove before any confirms, and where one fails
// all that were sent go back. The decision to confirm is on disk before the first device hears of it, so that a manager
// that was killed knows at its next start which it was. A device that is lost between the decision and its confirmation
// goes back by itself while the others keep it: nobody could tell them in time, and its own result says so.

/** What kept a device from it that did nothing wrong itself. */
const becauseOf = (reason: 'togetherNotSent' | 'togetherReverted', culprit: string): Why => ({
  reason,
  detail: '',
  values: { culprit },
})

/** Whether all devices took it. `waves`: ids of deployments with the names of their devices, sent in this order. */
export async function runTogether(engine: Engine, waves: readonly { id: string; name: string }[][]): Promise<boolean> {
  const { runtime } = engine
  /** The first device that did not take it. */
  let culprit: string | undefined
  let decide: (keep: boolean) => void = () => undefined
  const decided = new Promise<boolean>(done => {
    decide = done
  })
  const blame = (name: string) => {
    culprit ??= name
    decide(false)
  }
  /** One device's part of a stage: whatever ends it early, the others hear of it. */
  const each = <T extends { name: string }>(members: readonly T[], work: (member: T) => Promise<Ended | undefined>) =>
    Promise.all(
      members.map(async member => {
        try {
          const ended = await work(member)
          if (ended !== undefined && !isDone(ended)) blame(member.name)
          return ended
        } catch (error) {
          blame(member.name)
          throw error
        }
      }),
    )

  const prepared = new Map<string, Prepared>()
  await each(waves.flat(), async ({ id }) => {
    const ready = await prepareDeployment(engine, id)
    if ('ended' in ready) return ready.ended
    prepared.set(id, ready)
  })

  const sent: (Prepared & { name: string; so?: Why })[] = []
  for (const wave of waves)
    await each(wave, async ({ id, name }) => {
      const ready = prepared.get(id)
      if (!ready) return
      if (culprit !== undefined) return neverSent(engine, id, becauseOf('togetherNotSent', culprit))
      const done = await sendDeployment(engine, ready)
      if ('ended' in done) return done.ended
      sent.push({ ...ready, ...done, name })
    })

  const proven: Proven[] = []
  const isOff = () => culprit !== undefined || proven.some(one => Date.now() >= one.confirmBy)
  const keepAll = () =>
    runtime.db.transaction(() => {
      for (const { id, seen } of proven) updateDeployment(runtime, id, { step: 'confirm', detail: '', seen })
    })
  const ended = await each(sent, async ({ id, name, device, so }) => {
    const back = (why: Why) => takeBack(engine, device, id, why)
    const proof = await proveDeployment(engine, device, id, { so, isOff })
    if ('ended' in proof) return proof.ended
    if ('why' in proof) {
      const own = culprit === undefined
      blame(name)
      return back(own ? proof.why : becauseOf('togetherReverted', culprit ?? name))
    }
    const { rejected = [] } = proof.pending
    if (rejected.length > 0) {
      blame(name)
      return back({ reason: 'rejected', detail: rejected.map(one => `${one.block} (${one.reason})`).join(', ') })
    }
    proven.push(proof)
    if (proven.length === sent.length && !isOff()) {
      keepAll()
      decide(true)
    } else if (proven.length === sent.length) blame(name)
    if (await decided) return confirmDeployment(engine, proof, true)
    return back(becauseOf('togetherReverted', culprit ?? name))
  })
  return culprit === undefined && ended.every(one => one !== undefined && isDone(one))
}

import { withinRate } from '@/server/kernel/rate'
import { type Attempt, byPolicy, type Outcome, rates, refuse, wrongAt } from './attempt'
import { type ExternalAnswer, externalAddress, readAnswer, spendAsk } from './external'

// By a page elsewhere: the first step leads there, the second is its answer.

/** Once a minute, for whoever writes such a page. */
function log({ runtime, place, now }: Attempt, what: string): void {
  if (withinRate(runtime, `guest external ${place.network} unfit`, 1, 60_000, now))
    console.warn(`guests of network ${place.network}: an answer of ${place.policy.externalPage} ${what}`)
}

function lead(attempt: Attempt): Outcome {
  const { runtime, place, device, house, speech, asked, here, now } = attempt
  const asking = { device, house, language: speech.locale, url: asked, here, now }
  const to = externalAddress(runtime, place, asking)
  return to === undefined ? wrongAt('', speech.say('errors.method')) : { lead: to }
}

function letIn(attempt: Attempt, { name, minutes, megabytes, downloadKbps, uploadKbps }: ExternalAnswer): Outcome {
  return byPolicy(attempt, 'external', {
    ...rates(attempt.place, downloadKbps, uploadKbps),
    ...(name !== undefined && { label: name }),
    ...(minutes !== undefined && { seconds: minutes * 60 }),
    ...(megabytes !== undefined && { bytes: megabytes * 1_048_576 }),
  })
}

export function byExternal(attempt: Attempt): Outcome {
  const { runtime, place, device, sent, speech, now } = attempt
  const { say } = speech
  const answer = sent.text('answer')
  if (!answer) return lead(attempt)
  const said = readAnswer(runtime, place, device, { answer, sig: sent.text('answerSig'), now })
  if (said === 'none') return wrongAt('', say('errors.externalOld'))
  if (said === 'forged' || said === 'unfit') {
    log(attempt, said === 'forged' ? 'is not signed by the key of the portal' : 'has fields that no answer has')
    refuse(attempt, 'external', 'wrongAnswer', said === 'forged')
    return wrongAt('', say('errors.externalForged'))
  }
  // Nothing is awaited since it was found: it counts once.
  spendAsk(runtime, said.id)
  if (said.allow) return letIn(attempt, said)
  refuse(attempt, 'external', 'notAllowed', false)
  return wrongAt('', say('errors.externalRefused'))
}

import type { CodeWay } from '@/model/guests/methods'
import { type Attempt, byPolicy, type Outcome, refuse, wrongAt } from './attempt'
import { codeSentTo, takeCode } from './sent-codes'

/** The field for a code in the page's second step. */
export const codeField = 'sentCode'

/** The second step of email and text messages: whoever types the code reads what is sent there. */
function take(attempt: Attempt, way: CodeWay, first: string): Outcome {
  const { runtime, place, device, sent, speech, now } = attempt
  const typed = sent.text(codeField).trim()
  const waits = codeSentTo(runtime, place.lan, device.mac, now)?.way === way
  if (!typed && waits) return wrongAt(codeField, speech.say('errors.sentCodeMissing'))
  const taken = waits ? takeCode(runtime, place.lan, device.mac, typed, now) : 'none'
  if (typeof taken === 'object') return byPolicy(attempt, way, { label: taken.right })
  refuse(attempt, way, 'wrongCode', true)
  return taken === 'wrong'
    ? wrongAt(codeField, speech.say('errors.sentCodeWrong'))
    : wrongAt(first, speech.say('errors.sentCodeOver'))
}

type Step = (attempt: Attempt) => Outcome | Promise<Outcome>
/** By a code: `send` is the first step, with the field `first`. */
export const byCode =
  (way: CodeWay, first: string, send: Step): Step =>
  attempt =>
    attempt.sent.text('step') === 'code' ? take(attempt, way, first) : send(attempt)

import { judgeAnswers } from '@/model/guests/questions'
import { type Attempt, byPolicy, type Outcome } from './attempt'

/** The page's field of the question in this place. */
export const answerField = (at: number): string => `answer${at}`

/** By answering what the portal asks: nobody checks who it is, but each answer is of its sort. */
export function byForm(attempt: Attempt): Outcome {
  const { place, sent, speech } = attempt
  const { questions } = place.policy
  const typed = questions.map((_, at) => sent.text(answerField(at)))
  const { answers, problems } = judgeAnswers(questions, typed)
  if (problems.size === 0) return byPolicy(attempt, 'form', { answers })
  return {
    wrong: [...problems].map(([at, what]) => ({ field: answerField(at), text: speech.say(`errors.answer.${what}`) })),
  }
}

import type * as z from 'zod'
import { email } from '../email'
import { limits } from '../limits'
import { hasControlCharacters } from '../rules'

/** What a question of a portal's form takes; `check` is a box to tick. */
export const questionTypes = ['text', 'email', 'phone', 'choice', 'check'] as const
export type Question = {
  label: string
  type: (typeof questionTypes)[number]
  /** With commas between. */
  choices?: string | undefined
  required: boolean
}
/** What a guest answered; of a box that is ticked `yes`. */
export type Answer = { label: string; value: string }
export type AnswerProblem = 'missing' | 'tooLong' | 'email' | 'phone' | 'choice'

export const choicesOf = ({ choices = '' }: Pick<Question, 'choices'>): string[] => [
  ...new Set(
    choices
      .split(',')
      .map(one => one.trim())
      .filter(Boolean),
  ),
]

const isEmail = (text: string) => (email as z.ZodType).safeParse(text).success
/** As people write numbers, at least three digits of them. */
const isPhone = (text: string) => /^\+?[\d\s().\-/]+$/.test(text) && text.replace(/\D/g, '').length >= 3

/** What is wrong with an answer as it was typed; undefined where nothing is. */
function problemOf(question: Question, text: string): AnswerProblem | undefined {
  if (text === '') return question.required ? 'missing' : undefined
  if ([...text].length > limits.answerCharacters) return 'tooLong'
  if (question.type === 'email') return isEmail(text) ? undefined : 'email'
  if (question.type === 'phone') return isPhone(text) ? undefined : 'phone'
  if (question.type === 'choice') return choicesOf(question).includes(text) ? undefined : 'choice'
  return undefined
}

/** In one line, as somebody meant it. */
const plain = (text: string) =>
  [...text]
    .map(one => (hasControlCharacters(one) ? ' ' : one))
    .join('')
    .trim()

/** What was typed for each question → the answers that were given, and what is wrong by the question's place. */
export function judgeAnswers(questions: readonly Question[], typed: readonly string[]) {
  const problems = new Map<number, AnswerProblem>()
  const answers = questions.flatMap((question, at): Answer[] => {
    const text = plain(typed[at] ?? '')
    const value = question.type === 'check' && text !== '' ? 'yes' : text
    const problem = problemOf(question, value)
    if (problem) problems.set(at, problem)
    return value === '' ? [] : [{ label: question.label, value }]
  })
  return { answers, problems }
}

/** Rule A20: the letter with a guest's code says the code, and that it is good for ten minutes. */
export const saysCode = (text: string): boolean =>
  text.includes('{code}') && (text.includes('{minutes}') || /(?<!\d)10(?!\d)/.test(text.replaceAll('{code}', '')))

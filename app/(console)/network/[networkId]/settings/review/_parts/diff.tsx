'use client'
import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { Badge } from '@/app/_ui/status'
import type { BlockChange, DiffLine } from '@/server/devices/change/plan/diff'
import { useOwner } from './use-push-words'

export const tones = { add: 'ok', change: 'info', remove: 'bad' } as const
const classes = { ' ': '', '+': 'added', '-': 'removed' } as const
const signs = { ' ': ' ', '+': '+', '-': '−' } as const

type Numbered = DiffLine & { number: number; other?: string }

/** Lines with their numbers (removed ones in the old text, the rest in the new) and, for a replaced one, its counterpart. */
function numbered(lines: readonly DiffLine[]): Numbered[] {
  let [before, after] = [0, 0]
  return lines.map((line, at) => {
    if (line.sign !== '+') before += 1
    if (line.sign !== '-') after += 1
    const [last, next] = [lines[at - 1], lines[at + 1]]
    const other =
      line.sign === '-' && next?.sign === '+'
        ? next.text
        : line.sign === '+' && last?.sign === '-'
          ? last.text
          : undefined
    return { ...line, number: line.sign === '-' ? before : after, ...(other !== undefined && { other }) }
  })
}

/** The part of a line that its counterpart does not have, marked. */
function Marked({ text, other }: { text: string; other: string | undefined }) {
  if (other === undefined) return text
  let start = 0
  while (start < Math.min(text.length, other.length) && text[start] === other[start]) start += 1
  let end = 0
  const most = Math.min(text.length, other.length) - start
  while (end < most && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1
  const middle = text.slice(start, text.length - end)
  if (start + end === 0 || !middle) return text
  return (
    <Fragment>
      {text.slice(0, start)}
      <em>{middle}</em>
      {text.slice(text.length - end)}
    </Fragment>
  )
}

/** A file, or a section of one, as the device calls it. */
const partOf = (id: string) => id.replace(/^\w+:/, '')

/** One block: what happens in plain words, then in the device's own; `bare` leaves the plain words out. */
export function Block({ block, bare }: { block: BlockChange & { name?: string }; bare?: boolean }) {
  const t = useTranslations('change')
  const owner = useOwner()(block.kind, block.name ?? '')
  const key = (owner ? block.action : `${block.action}Block`) as 'add'
  return (
    <div className="diff-block">
      {!bare && (
        <div className="diff-sentence">
          <Badge tone={tones[block.action]}>{t(`actions.${block.action}`)}</Badge>
          <b>{t(`plain.${key}`, { name: owner ?? '', part: partOf(block.id) })}</b>
        </div>
      )}
      {/* Long lines scroll; whoever has no mouse scrolls them by the arrow keys. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard */}
      <figure className="diff" aria-label={block.id} tabIndex={0}>
        <div className="diff-heading">{block.id}</div>
        {numbered(block.lines).map(({ sign, text, number, other }) => (
          <div className={classes[sign]} key={`${sign}${number}`}>
            <span className="line-number">{number}</span>
            <span>{signs[sign]}</span>
            <span>
              <Marked text={text} other={other} />
            </span>
          </div>
        ))}
      </figure>
    </div>
  )
}

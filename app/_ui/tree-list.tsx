'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { FindBox } from './find-box'
import { Icon } from './icon'
import { type TreeLine, type TreeNode, treeLines, treeStep } from './tree'

type Props = { label: string; tree: readonly TreeNode[]; chosen: string; onChoose: (value: string) => void }

/**
 * A search box over a tree, for popovers: up and down move, right opens or goes in, left closes or goes out, Enter
 * chooses (WAI-ARIA tree view).
 */
export function TreeList({ label, tree, chosen, onChoose }: Props) {
  const t = useTranslations('common.field')
  const id = useId()
  const [typed, setTyped] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const lines = treeLines(tree, closed, typed)
  const [hot, setHot] = useState(() => Number(chosen))
  const box = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    lines.findIndex(line => line.node.id === hot),
  )
  const now = lines[at]
  useEffect(() => {
    box.current?.querySelector('.highlighted')?.scrollIntoView({ block: 'nearest' })
  })
  const turn = (node: number, open: boolean) =>
    setClosed(new Set(open ? [...closed].filter(one => one !== node) : [...closed, node]))
  const press = (event: KeyboardEvent) => {
    const choose = event.key === 'Enter' && now
    // While a search is typed, left and right move in its text.
    const step = typed !== '' && /Left|Right/.test(event.key) ? undefined : treeStep(event.key, lines, at)
    if (!choose && !step) return
    event.preventDefault()
    if (choose) onChoose(String(choose.node.id))
    else if (step && 'to' in step) setHot(step.to)
    else if (step) turn(step.turn, step.open)
  }
  return (
    <div ref={box}>
      <FindBox
        label={label}
        list={id}
        row={now && `${id}-${now.node.id}`}
        popup="tree"
        typed={typed}
        onType={setTyped}
        onKeyDown={press}
      />
      <div role="tree" id={id} aria-label={label}>
        {lines.map(line => (
          <Line
            key={line.node.id}
            id={`${id}-${line.node.id}`}
            line={line}
            hot={line === now}
            on={String(line.node.id) === chosen}
            onHot={() => setHot(line.node.id)}
            onTurn={() => turn(line.node.id, !line.open)}
            onChoose={() => onChoose(String(line.node.id))}
          />
        ))}
      </div>
      {lines.length === 0 && <p className="head">{t('noMatch')}</p>}
    </div>
  )
}

type LineProps = {
  id: string
  line: TreeLine
  hot: boolean
  on: boolean
  onHot: () => void
  onTurn: () => void
  onChoose: () => void
}

function Line({ id, line: { node, level, open }, hot, on, onHot, onTurn, onChoose }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the search box above, which has the focus
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-selected={on}
      aria-expanded={open}
      className={hot ? 'menu-item highlighted' : 'menu-item'}
      style={{ paddingInlineStart: 8 + (level - 1) * 16 }}
      onPointerMove={onHot}
      onClick={onChoose}
    >
      {open === undefined ? (
        <span className="tree-turn" />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys open and close
        // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone
        <span
          className="tree-turn"
          onClick={event => {
            event.stopPropagation()
            onTurn()
          }}
        >
          <Icon name={open ? 'down' : 'right'} size="sm" flip={!open} />
        </span>
      )}
      <span className="truncated">{node.name}</span>
      {on && <Icon name="check" className="tick" />}
    </div>
  )
}

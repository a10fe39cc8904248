'use client'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Badge } from '@/app/_ui/status'
import type { BlockChange } from '@/server/devices/change/plan/diff'
import { Block, tones } from './diff'
import { useSavedName } from './use-push-words'

type Change = BlockChange & { name?: string }
type Setting = { key: string; kind: string; name: string; blocks: Change[] }

/** Longer ones are opened by whoever wants to read them. */
const shownLines = 40

/** By the setting that they are made of, or by its kind where several share a file, in the plan's order; the rest apart. */
function bySetting(blocks: readonly Change[]): { settings: Setting[]; shared: Change[] } {
  const settings = new Map<string, Setting>()
  const shared: Change[] = []
  for (const block of blocks) {
    const { kind, document, name = '' } = block
    const key = `${kind} ${name && document}`
    const held = settings.get(key)
    if (kind === undefined) shared.push(block)
    else if (held) held.blocks.push(block)
    else settings.set(key, { key, kind, name, blocks: [block] })
  }
  return { settings: [...settings.values()], shared }
}

/** What happens to a setting on the device: added or removed with all of its parts, else changed. */
const actionOf = (blocks: readonly Change[]): Change['action'] => {
  const [first] = blocks
  return first && blocks.every(one => one.action === first.action) ? first.action : 'change'
}

function Folded({ title, blocks }: { title: ReactNode; blocks: readonly Change[] }) {
  if (blocks.length === 0) return null
  return (
    <details className="plan-more">
      <summary>{title}</summary>
      {blocks.map(block => (
        <Block key={block.id} block={block} bare />
      ))}
    </details>
  )
}

function SettingBlocks({ setting: { kind, name, blocks } }: { setting: Setting }) {
  const t = useTranslations('change')
  const owner = useSavedName()(kind, name)
  const action = actionOf(blocks)
  const [first] = blocks
  const shown = first && first.lines.length <= shownLines ? first : undefined
  const folded = blocks.filter(block => block !== shown)
  return (
    <section className="diff-block">
      <div className="diff-sentence">
        <Badge tone={tones[action]}>{t(`actions.${action}`)}</Badge>
        <b>{t(`plain.${action}`, { name: owner })}</b>
      </div>
      {shown && <Block block={shown} bare />}
      <Folded title={t(shown ? 'plain.more' : 'plain.files', { count: folded.length })} blocks={folded} />
    </section>
  )
}

/** A plan's difference: one part a setting, in words; the files behind it folded but for a short one. */
export function PlanBlocks({ blocks }: { blocks: readonly Change[] }) {
  const t = useTranslations('change.plain')
  const { settings, shared } = bySetting(blocks)
  // Nothing to fold it under.
  if (settings.length === 0 && shared.length <= 3) return shared.map(block => <Block key={block.id} block={block} />)
  return (
    <>
      {settings.map(setting => (
        <SettingBlocks key={setting.key} setting={setting} />
      ))}
      {shared.length > 0 && (
        <section className="diff-block">
          <Folded title={t('shared', { count: shared.length })} blocks={shared} />
        </section>
      )}
    </>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Status } from '@/app/_ui/status'
import type { SavedChange } from '@/server/devices/change/saved/applied-revisions'
import { useMayEditKind } from './use-may-edit-kind'
import { useSavedName } from './use-push-words'

/** What was saved and is not on every device, each with its way back. */
export function Saved({ changes, mayEdit }: { changes: readonly SavedChange[]; mayEdit: boolean }) {
  const t = useTranslations('change')
  const owner = useSavedName()
  const [asked, setAsked] = useState<SavedChange>()
  const isHeld = useMayEditKind()
  if (changes.length === 0) return null
  return (
    <Card title={t('saved')}>
      {changes.map(change => (
        <div className="review-device saved" key={change.id}>
          <Status state="modified" />
          <span className="truncated">{owner(change.kind, change.name)}</span>
          <span className="review-result muted">{t('savedBy', { action: change.action, name: change.by })}</span>
          {mayEdit && change.discard && isHeld(change.kind) && (
            <IconButton
              kind="ghost"
              small
              icon="undo"
              label={t('discard.label', { name: owner(change.kind, change.name) })}
              onClick={() => setAsked(change)}
            />
          )}
        </div>
      ))}
      {asked && <DiscardDialog change={asked} onClose={() => setAsked(undefined)} />}
    </Card>
  )
}

function DiscardDialog({ change, onClose }: { change: SavedChange; onClose: () => void }) {
  const t = useTranslations('change.discard')
  const owner = useSavedName()
  const { id, revision, kind, name, action } = change
  return (
    <ActDialog
      call="changes/discard"
      input={withNetwork({ id, revision })}
      done={t('done')}
      onClose={onClose}
      title={t('title')}
      consequences={[t(action, { name: owner(kind, name) })]}
      action={t('action')}
      danger
    />
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { callApi, isCancelled } from '@/app/_api/client'
import { useCall, useRefresh } from '@/app/_api/use-call'
import { useFieldErrors } from '@/app/_api/words'
import { Button, IconButton } from '@/app/_ui/button'
import { Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { limits } from '@/model/limits'

type Props = {
  open: boolean
  onClose: () => void
  onAdded: (tagId: number) => void
  onDeleted: (tagId: number) => void
}

/** The organization's tags: add and delete. */
export function TagsDialog({ open, onClose, onAdded, onDeleted }: Props) {
  const t = useTranslations('networks.form')
  const tags = useCall('networks/tags/list', open ? {} : null)
  const refresh = useRefresh()
  const changed = () => refresh('networks/tags/list', 'networks/options', 'networks/list')
  const remove = async (tagId: number) => {
    await callApi('networks/tags/delete', { tagId })
    onDeleted(tagId)
    await changed()
  }
  return (
    <Dialog open={open} onClose={onClose} title={t('manageTags')}>
      <AddTag
        onAdded={async tagId => {
          onAdded(tagId)
          await changed()
        }}
      />
      <Loaded call={tags} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState slim icon="tag" title={t('noTags')} />
          ) : (
            <ul className="row w">
              {result.map(({ tagId, tagName }) => (
                <li key={tagId} className="tag">
                  {tagName}
                  <IconButton
                    small
                    kind="ghost"
                    icon="close"
                    label={t('tagDelete', { name: tagName })}
                    onClick={() => void remove(tagId).catch(() => undefined)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function AddTag({ onAdded }: { onAdded: (tagId: number) => Promise<void> }) {
  const t = useTranslations('networks.form')
  const errorsOf = useFieldErrors()
  const [tagName, setTagName] = useState('')
  const [error, setError] = useState<string>()
  const add = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    try {
      const { tagId } = await callApi('networks/tags/add', { tagName }, { quiet: true })
      setTagName('')
      setError(undefined)
      await onAdded(tagId)
    } catch (failure) {
      if (!isCancelled(failure)) setError(errorsOf(failure).tagName)
    }
  }
  return (
    <form className="fx" onSubmit={add}>
      <TextField
        label={t('newTag')}
        value={tagName}
        error={error}
        maxLength={limits.tagCharacters}
        autoComplete="off"
        onChange={setTagName}
      />
      <Button type="submit" icon="plus" disabled={tagName.trim() === ''}>
        {t('addTag')}
      </Button>
    </form>
  )
}

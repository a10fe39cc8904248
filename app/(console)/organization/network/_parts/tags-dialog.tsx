'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { callApi, isCancelled } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
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

/** The organization's tags: add, rename, delete. */
export function TagsDialog({ open, onClose, onAdded, onDeleted }: Props) {
  const t = useTranslations('networks.form')
  const tags = useCall('networks/tags/list', open ? {} : null)
  const remove = async (tagId: number) => {
    await callApi('networks/tags/delete', { tagId })
    onDeleted(tagId)
  }
  return (
    <Dialog open={open} onClose={onClose} title={t('manageTags')}>
      <AddTag onAdded={onAdded} />
      <Loaded call={tags} lines={2}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState slim icon="tag" title={t('noTags')} />
          ) : (
            <ul className="grid gap-2">
              {result.map(tag => (
                <TagItem
                  key={`${tag.tagId} ${tag.tagName}`}
                  tag={tag}
                  onDelete={() => void remove(tag.tagId).catch(() => undefined)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

/** One name in a form of its own inside another form; a refusal stands at it. */
function useTagName(start: string, send: (tagName: string) => Promise<unknown>) {
  const errorsOf = useFieldErrors()
  const [tagName, setTagName] = useState(start)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    try {
      await send(tagName)
      setTagName(start)
      setError(undefined)
    } catch (failure) {
      if (!isCancelled(failure)) setError(errorsOf(failure).tagName)
    }
  }
  return { tagName, setTagName, error, submit }
}

type TagItemProps = { tag: { tagId: number; tagName: string }; onDelete: () => void }

function TagItem({ tag: { tagId, tagName: name }, onDelete }: TagItemProps) {
  const t = useTranslations('networks.form')
  const common = useTranslations('common')
  const [open, setOpen] = useState(false)
  const { tagName, setTagName, error, submit } = useTagName(name, async tagName => {
    await callApi('networks/tags/edit', { tagId, tagName }, { quiet: true })
    setOpen(false)
  })
  if (open)
    return (
      <li>
        <form className="inline-form" onSubmit={submit}>
          <TextField
            label={t('tagRename', { name })}
            value={tagName}
            error={error}
            maxLength={limits.tagCharacters}
            autoComplete="off"
            onChange={setTagName}
          />
          <Button type="submit" disabled={tagName.trim() === '' || tagName === name}>
            {common('save')}
          </Button>
          <Button onClick={() => setOpen(false)}>{common('cancel')}</Button>
        </form>
      </li>
    )
  return (
    <li className="row">
      <span className="tag">{name}</span>
      <span className="end row">
        <IconButton small kind="ghost" icon="edit" label={t('tagRename', { name })} onClick={() => setOpen(true)} />
        <IconButton small kind="ghost" icon="trash" label={t('tagDelete', { name })} onClick={onDelete} />
      </span>
    </li>
  )
}

function AddTag({ onAdded }: { onAdded: (tagId: number) => void }) {
  const t = useTranslations('networks.form')
  const { tagName, setTagName, error, submit } = useTagName('', async tagName => {
    const { tagId } = await callApi('networks/tags/add', { tagName }, { quiet: true })
    onAdded(tagId)
  })
  return (
    <form className="inline-form" onSubmit={submit}>
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

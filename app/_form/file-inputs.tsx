'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { sendFile } from '@/app/_api/send-file'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFailureText, useFieldErrors, useFieldText } from '@/app/_api/words'
import { IconButton } from '@/app/_ui/button'
import { Field } from '@/app/_ui/field'
import { FileButton } from '@/app/_ui/file-input'
import { type MediaSort, mediaAccept, mediaSorts } from '@/model/guests/media'
import { frameOf, type InputProps } from './input-frame'

// Files of a form: sent as soon as they are chosen, and kept by their ids.

const queryOf = (input: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(withNetwork(input)).map(([key, value]) => [key, String(value)]))

/**
 * Sends one file; how far it is in percent, and what was wrong with the last one. One that is too large is not sent: the
 * manager closes a connection that brings too much, which looks like a broken link.
 */
function useUpload(sort: MediaSort, onSent: (id: string) => void) {
  const worded = useFieldErrors()
  const fieldText = useFieldText()
  const text = useFailureText()
  const [percent, setPercent] = useState<number>()
  const [problem, setProblem] = useState('')
  const send = async (file: File) => {
    const tooLarge = file.size > mediaSorts[sort].bytes
    setProblem(tooLarge ? fieldText('mediaTooLarge') : '')
    if (tooLarge) return
    setPercent(0)
    try {
      const sent = await sendFile('guests/files/upload', queryOf({ sort, name: file.name }), file, setPercent)
      onSent(String(sent.id))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(Object.values(worded(error))[0] ?? text(error))
    }
    setPercent(undefined)
  }
  return { send, percent, problem }
}

/** A file that is kept: as it looks, and what it is called. */
function Kept({ id, onRemove }: { id: string; onRemove: () => void }) {
  const t = useTranslations('form.file')
  const { data, error } = useNetworkCall('guests/files/get', { id })
  const address = `/app/guests/files/show?${new URLSearchParams(queryOf({ id }))}`
  const name = error ? t('gone') : (data?.name ?? '')
  return (
    <li className="kept-file">
      {/* biome-ignore lint/performance/noImgElement: it is the manager's own, and as large as its place */}
      {data?.type.startsWith('image/') && <img src={address} alt="" loading="lazy" />}
      {data?.type.startsWith('video/') && <video src={address} muted preload="metadata" />}
      <bdi>{name}</bdi>
      <IconButton icon="close" kind="ghost" label={t('remove', { name })} onClick={onRemove} />
    </li>
  )
}

type Props = InputProps & { ids: readonly string[]; max: number; onIds: (ids: string[]) => void }

function Files({ ids, max, onIds, ...props }: Props) {
  const t = useTranslations('form.file')
  const { spec, words } = props
  const sort = spec.sort ?? 'logo'
  // One takes the place of the one before; several stand after each other.
  const { send, percent, problem } = useUpload(sort, id => onIds(max === 1 ? [id] : [...ids, id]))
  const error = problem || props.error
  const { error: _, ...frame } = frameOf(props)
  const label = words.label(spec.key)
  const text = max === 1 && ids.length > 0 ? t('replace') : t('choose')
  return (
    <Field {...frame} {...(error && { error })}>
      {wired => (
        <fieldset {...wired} className="kept-files" aria-label={label}>
          {ids.length > 0 && (
            <ul>
              {ids.map(id => (
                <Kept key={id} id={id} onRemove={() => onIds(ids.filter(one => one !== id))} />
              ))}
            </ul>
          )}
          {(max === 1 || ids.length < max) && (
            <FileButton
              label={`${label}: ${text}`}
              accept={mediaAccept[sort]}
              disabled={percent !== undefined}
              onFile={file => void send(file)}
            >
              {percent === undefined ? text : t('sending', { percent })}
            </FileButton>
          )}
        </fieldset>
      )}
    </Field>
  )
}

export function FileInput(props: InputProps) {
  const ids = typeof props.value === 'string' && props.value !== '' ? [props.value] : []
  return <Files {...props} ids={ids} max={1} onIds={([id]) => props.onChange(id)} />
}

export function FilesInput(props: InputProps) {
  const ids = (props.value as string[] | undefined) ?? []
  return <Files {...props} ids={ids} max={props.spec.max ?? 10} onIds={props.onChange} />
}

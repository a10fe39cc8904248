'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { sendFile } from '@/app/_api/send-file'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { Button, IconButton } from '@/app/_ui/button'
import { Below } from '@/app/_ui/field'
import { bytes } from '@/app/_ui/format'
import { Icon } from '@/app/_ui/icon'
import { attachmentEndings, attachmentRefused } from '@/model/feedback'

/** A file that was sent ahead of its feedback. */
export type Attached = { id: string; name: string; size: number }
type Props = { file: Attached | undefined; onChange: (file: Attached | undefined) => void; error?: string }

/** As it is written: "1.2 MB". */
const size = (count: number) => {
  const { value, unit } = bytes(count)
  return `${value} ${unit}`
}
const endings = attachmentEndings.join(', ')

/** Rule P12: one file, refused here already where name or size say enough. */
export function Attachment({ file, onChange, error }: Props) {
  const t = useTranslations('feedback')
  const errors = useTranslations('errors')
  const errorsOf = useFieldErrors()
  const failure = useFailureText()
  const input = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState<number>()
  const [own, setOwn] = useState<string>()
  const upload = async (chosen: File) => {
    onChange(undefined)
    const refused = attachmentRefused(chosen.name, chosen.size)
    setOwn(refused && errors(refused))
    if (refused) return
    setPercent(0)
    try {
      onChange((await sendFile('feedback/attach', { name: chosen.name }, chosen, setPercent)) as Attached)
    } catch (problem) {
      if (problem instanceof ApiError) setOwn(errorsOf(problem).attachment ?? failure(problem))
    } finally {
      setPercent(undefined)
    }
  }
  const remove = () => {
    onChange(undefined)
    void callApi('feedback/detach', {}, { quiet: true }).catch(() => undefined)
  }
  return (
    <div className="field">
      <div className="label">
        <span id="attachment">{t('attachment')}</span>
        <span className="requirement">{useTranslations('common.field')('optional')}</span>
      </div>
      <input
        ref={input}
        hidden
        type="file"
        accept={attachmentEndings.map(ending => `.${ending}`).join(',')}
        aria-label={t('choose')}
        onChange={event => {
          const [chosen] = event.target.files ?? []
          event.target.value = ''
          if (chosen) void upload(chosen)
        }}
      />
      <div className="row wrapping">
        <Button icon="upload" busy={percent !== undefined} onClick={() => input.current?.click()}>
          {percent === undefined ? t('choose') : t('uploading', { percent })}
        </Button>
        {file && (
          <span className="row">
            <Icon name="file" size="sm" />
            <bdi className="truncated">{file.name}</bdi>
            <span className="muted number">{size(file.size)}</span>
            <IconButton small kind="ghost" icon="close" label={t('remove', { name: file.name })} onClick={remove} />
          </span>
        )}
      </div>
      <Below help={t('attachmentHelp', { endings })} error={own ?? error} />
    </div>
  )
}

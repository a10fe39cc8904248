'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError, callApi } from '@/app/_api/client'
import { sendFile } from '@/app/_api/send-file'
import { useFailureText, useFieldErrors } from '@/app/_api/words'
import { IconButton } from '@/app/_ui/button'
import { Below } from '@/app/_ui/field'
import { FileButton } from '@/app/_ui/file-input'
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
      <div className="row wrapping">
        <FileButton
          label={t('choose')}
          accept={attachmentEndings.map(ending => `.${ending}`).join(',')}
          busy={percent !== undefined}
          onFile={chosen => void upload(chosen)}
        >
          {percent === undefined ? t('choose') : t('uploading', { percent })}
        </FileButton>
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

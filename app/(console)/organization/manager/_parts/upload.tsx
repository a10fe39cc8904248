'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { sendFile } from '@/app/_api/send-file'
import { useFailureText } from '@/app/_api/words'
import { FileButton } from '@/app/_ui/file-input'
import { toast } from '@/app/_ui/toast'

/** Brings a backup made elsewhere. It is checked before it is kept. */
export function UploadButton() {
  const t = useTranslations('backups')
  const failure = useFailureText()
  const [percent, setPercent] = useState<number>()
  const upload = async (file: File) => {
    setPercent(0)
    try {
      const data = await sendFile('backups/upload', {}, file, setPercent)
      toast('ok', t('uploaded', { name: String(data.name) }))
    } catch (error) {
      if (error instanceof ApiError) toast('bad', failure(error))
    } finally {
      setPercent(undefined)
    }
  }
  return (
    <FileButton
      label={t('upload')}
      accept=".tar.gz,application/gzip"
      busy={percent !== undefined}
      onFile={file => void upload(file)}
    >
      {percent === undefined ? t('upload') : t('uploading', { percent })}
    </FileButton>
  )
}

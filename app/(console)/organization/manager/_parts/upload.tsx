'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { sendFile } from '@/app/_api/send-file'
import { useFailureText } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { toast } from '@/app/_ui/toast'

/** Brings a backup made elsewhere. It is checked before it is kept. */
export function UploadButton() {
  const t = useTranslations('backups')
  const failure = useFailureText()
  const input = useRef<HTMLInputElement>(null)
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
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept=".tar.gz,.tgz,application/gzip"
        aria-label={t('upload')}
        onChange={event => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) void upload(file)
        }}
      />
      <Button icon="upload" busy={percent !== undefined} onClick={() => input.current?.click()}>
        {percent === undefined ? t('upload') : t('uploading', { percent })}
      </Button>
    </>
  )
}

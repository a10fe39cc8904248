'use client'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { ApiError } from '@/app/_api/client'
import { useRefresh } from '@/app/_api/use-call'
import { useFailureText } from '@/app/_api/words'
import { Button } from '@/app/_ui/button'
import { toast } from '@/app/_ui/toast'

type Answer = { retCode: number; data: Record<string, unknown> }

/** Sends a file as it is; fetch cannot tell how far it is. */
function send(file: File, onProgress: (percent: number) => void): Promise<Answer> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/app/backups/upload')
    request.setRequestHeader('content-type', 'application/gzip')
    request.setRequestHeader('x-requested-with', 'XMLHttpRequest')
    request.responseType = 'json'
    request.upload.onprogress = event => onProgress(event.total ? Math.floor((100 * event.loaded) / event.total) : 0)
    request.onerror = () => failed(new ApiError('network', 'backups/upload'))
    request.onload = () => {
      if (request.response) done(request.response as Answer)
      else failed(new ApiError('network', 'backups/upload'))
    }
    request.send(file)
  })
}

/** Brings a backup made elsewhere. It is checked before it is kept. */
export function UploadButton() {
  const t = useTranslations('backups')
  const refresh = useRefresh()
  const failure = useFailureText()
  const input = useRef<HTMLInputElement>(null)
  const [percent, setPercent] = useState<number>()
  const upload = async (file: File) => {
    setPercent(0)
    try {
      const { retCode, data } = await send(file, setPercent)
      if (retCode !== 0) throw new ApiError('refused', 'backups/upload', retCode, data)
      toast('ok', t('uploaded', { name: String(data.name) }))
      await refresh('backups/list')
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

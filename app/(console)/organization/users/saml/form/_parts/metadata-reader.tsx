'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useSubmit } from '@/app/_api/use-submit'
import type { OwnPart } from '@/app/_form/own-form'
import { Button } from '@/app/_ui/button'
import { TextArea } from '@/app/_ui/field'
import { FileButton } from '@/app/_ui/file-input'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'

const fileTypes = '.xml,text/xml,application/xml,application/samlmetadata+xml'

/** Fills the identity provider's fields from its metadata, pasted or out of a file. */
export function MetadataReader({ form }: OwnPart) {
  const t = useTranslations('saml.metadata')
  const [text, setText] = useState('')
  const { errors, busy, run } = useSubmit<'read'>()
  const read = (metadata: string) =>
    run('read', async () => {
      const found = await callApi('saml/metadata/read', { metadata }, { quiet: true })
      for (const [key, value] of Object.entries(found)) form.set(key, value)
      setText('')
      toast('ok', t('read'))
    })
  const take = async (chosen: File) => {
    if (chosen.size > limits.samlMetadataCharacters) return toast('bad', t('fileTooLarge'))
    const metadata = await chosen.text()
    setText(metadata)
    await read(metadata)
  }
  return (
    <div className="stack">
      <TextArea
        label={t('label')}
        help={t('help')}
        code
        dir="ltr"
        rows={3}
        spellCheck={false}
        optional
        value={text}
        error={errors.metadata}
        onChange={setText}
      />
      <div className="row w">
        <Button small icon="check" busy={busy === 'read'} disabled={!text.trim()} onClick={() => void read(text)}>
          {t('go')}
        </Button>
        <FileButton small label={t('file')} accept={fileTypes} onFile={chosen => void take(chosen)}>
          {t('file')}
        </FileButton>
      </div>
    </div>
  )
}

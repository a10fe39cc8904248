'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button } from '@/app/_ui/button'
import { Card, KeyValues } from '@/app/_ui/card'
import { Moment } from '@/app/_ui/clock'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextArea } from '@/app/_ui/field'
import { Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'

/** The certificate that browsers see: Lanward's own, or one that was given to it. */
export function CertificateCard() {
  const t = useTranslations('certificate')
  const mayEdit = useMay('organization_manager_edit')
  const [asking, setAsking] = useState<'replace' | 'remove'>()
  const call = useCall('manager/certificate/get', {})
  const close = () => setAsking(undefined)
  return (
    <Card title={t('title')} pad>
      <Loaded call={call}>
        {({ certificate }) => (
          <div className="stack">
            {certificate && (
              <KeyValues
                rows={[
                  [t('source'), t(`sources.${certificate.source}`)],
                  [
                    t('names'),
                    <span key="names" className="break-all">
                      {certificate.names.join(', ')}
                    </span>,
                  ],
                  [t('issuer'), certificate.issuer],
                  [t('validTo'), <Moment key="to" at={certificate.validTo} />],
                  [
                    t('fingerprint'),
                    <span key="fp" dir="ltr" className="fine-print break-all">
                      {certificate.fingerprint}
                    </span>,
                  ],
                ]}
              />
            )}
            {mayEdit && (
              <div className="row wrapping">
                <Button onClick={() => setAsking('replace')}>{t('replace')}</Button>
                {certificate?.source === 'uploaded' && (
                  <Button onClick={() => setAsking('remove')}>{t('remove')}</Button>
                )}
              </div>
            )}
          </div>
        )}
      </Loaded>
      {asking === 'replace' && <ReplaceDialog onClose={close} />}
      {asking === 'remove' && (
        <ActDialog
          call="manager/certificate/delete"
          input={{}}
          done={t('removed')}
          title={t('removeTitle')}
          help={t('removeHelp')}
          action={t('remove')}
          onClose={close}
        />
      )}
    </Card>
  )
}

function ReplaceDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('certificate')
  const [certificate, setCertificate] = useState('')
  const [key, setKey] = useState('')
  const save = async () => {
    await callApi('manager/certificate/save', { certificate, key })
    toast('ok', t('saved'))
  }
  return (
    <ConfirmDialog
      open
      title={t('replaceTitle')}
      help={t('replaceHelp')}
      action={t('replace')}
      onClose={onClose}
      onConfirm={save}
    >
      {errors => (
        <>
          <Pem
            label={t('certificate')}
            accept=".pem,.crt,.cer"
            value={certificate}
            onChange={setCertificate}
            error={errors.certificate}
          />
          <Pem label={t('key')} accept=".pem,.key" value={key} onChange={setKey} error={errors.key} />
        </>
      )}
    </ConfirmDialog>
  )
}

type PemProps = { label: string; accept: string; value: string; onChange: (text: string) => void; error?: string }

/** PEM text, pasted or out of a file. */
function Pem({ label, accept, value, onChange, error }: PemProps) {
  const t = useTranslations('certificate')
  return (
    <div className="stack">
      <TextArea
        label={label}
        error={error}
        value={value}
        onChange={onChange}
        code
        rows={5}
        spellCheck={false}
        dir="ltr"
      />
      <input
        type="file"
        accept={accept}
        aria-label={t('fromFile', { label })}
        onChange={async event => {
          const [file] = event.target.files ?? []
          if (file) onChange(await file.text())
        }}
      />
    </div>
  )
}

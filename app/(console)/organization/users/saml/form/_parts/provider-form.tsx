'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useRef, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { KeyValues } from '@/app/_ui/card'
import { SwitchField } from '@/app/_ui/check'
import { Moment } from '@/app/_ui/clock'
import { TextArea, TextField } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import type { Saml } from './rows'

const attributes = ['roleAttribute', 'accountAttribute', 'nameAttribute', 'emailAttribute'] as const
const texts = ['identifier', 'baseUrl', ...attributes] as const
type Values = Record<(typeof texts)[number], string> & { enabled: boolean; metadata: string }

const startOf = (saml: Saml): Values => ({
  enabled: saml.set ? saml.enabled : true,
  identifier: saml.set ? saml.identifier : '',
  baseUrl: saml.set ? saml.baseUrl : window.location.origin,
  metadata: '',
  roleAttribute: saml.set ? saml.roleAttribute : 'groups',
  accountAttribute: saml.set ? saml.accountAttribute : '',
  nameAttribute: saml.set ? saml.nameAttribute : 'displayName',
  emailAttribute: saml.set ? saml.emailAttribute : '',
})

type PartProps = {
  saml: Saml
  values: Values
  errors: Readonly<Record<string, string>>
  change: (part: Partial<Values>) => void
}

/** Who signs people in, and what its answers say of them. */
export function ProviderForm({ saml }: { saml: Saml }) {
  const t = useTranslations('saml.provider')
  const refresh = useRefresh()
  const [values, setValues] = useState(() => startOf(saml))
  const { errors, busy, run } = useSubmit<'save'>()
  const change = (part: Partial<Values>) => setValues(before => ({ ...before, ...part }))
  const save = async () => {
    const { metadata, ...rest } = values
    await callApi('saml/save', { ...rest, ...(metadata.trim() && { metadata }) })
    toast('ok', t('saved'))
    change({ metadata: '' })
    await refresh('saml/get')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run('save', save)
  }
  const props = { saml, values, errors, change }
  return (
    <form className="stack" style={{ maxInlineSize: 640 }} onSubmit={submit} noValidate>
      <ProviderFields {...props} />
      <AttributeFields {...props} />
      <div>
        <Button type="submit" kind="primary" busy={busy !== undefined}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

function ProviderFields(props: PartProps) {
  const { values, errors, change } = props
  const t = useTranslations('saml.provider')
  return (
    <>
      <SwitchField
        label={t('enabled')}
        help={t('enabledHelp')}
        checked={values.enabled}
        onChange={enabled => change({ enabled })}
      />
      <TextField
        label={t('identifier')}
        help={t('identifierHelp')}
        value={values.identifier}
        error={errors.identifier}
        maxLength={limits.samlIdentifierCharacters}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={identifier => change({ identifier })}
      />
      <TextField
        label={t('baseUrl')}
        help={t('baseUrlHelp')}
        dir="ltr"
        inputMode="url"
        value={values.baseUrl}
        error={errors.baseUrl}
        onChange={baseUrl => change({ baseUrl })}
      />
      <Known {...props} />
      <MetadataField {...props} />
    </>
  )
}

/** The identity provider as its metadata told. */
function Known({ saml }: PartProps) {
  const t = useTranslations('saml.known')
  if (!saml.set) return null
  const { entity, signInUrl, signOutUrl, certificates } = saml.provider
  const plain = (text: string) => (
    <span dir="ltr" className="break-all">
      {text}
    </span>
  )
  return (
    <KeyValues
      stacked
      rows={[
        [t('entity'), plain(entity)],
        [t('signIn'), plain(signInUrl)],
        [t('signOut'), signOutUrl ? plain(signOutUrl) : t('noSignOut')],
        [
          t('certificate'),
          <ul key="certificates" className="stack">
            {certificates.map(({ sha256, subject, validTo }) => (
              <li key={sha256}>
                {plain(subject)}, {t('validTo')} <Moment at={validTo} />
                <br />
                <span dir="ltr" className="fine-print break-all">
                  {sha256}
                </span>
              </li>
            ))}
          </ul>,
        ],
      ]}
    />
  )
}

function MetadataField({ saml, values, errors, change }: PartProps) {
  const t = useTranslations('saml.provider')
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > limits.samlMetadataCharacters) return toast('bad', t('fileTooLarge'))
    change({ metadata: await file.text() })
  }
  return (
    <>
      <TextArea
        label={t('metadata')}
        help={t(saml.set ? 'metadataKept' : 'metadataHelp')}
        code
        dir="ltr"
        rows={5}
        spellCheck={false}
        value={values.metadata}
        error={errors.metadata}
        onChange={metadata => change({ metadata })}
      />
      <div>
        <input
          ref={input}
          hidden
          type="file"
          accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
          aria-label={t('file')}
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            void take(file)
          }}
        />
        <Button small icon="upload" onClick={() => input.current?.click()}>
          {t('file')}
        </Button>
      </div>
    </>
  )
}

const labels = {
  roleAttribute: ['role', 'roleHelp'],
  accountAttribute: ['account', 'accountHelp'],
  nameAttribute: ['name', undefined],
  emailAttribute: ['email', 'emailHelp'],
} as const

function AttributeFields({ values, errors, change }: PartProps) {
  const t = useTranslations('saml.attributes')
  return (
    <>
      <div>
        <h3 className="font-semibold">{t('title')}</h3>
        <p className="soft">{t('help')}</p>
      </div>
      {attributes.map(key => {
        const [label, help] = labels[key]
        return (
          <TextField
            key={key}
            label={t(label)}
            help={help && t(help)}
            optional={key !== 'roleAttribute'}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={values[key]}
            error={errors[key]}
            onChange={value => change({ [key]: value })}
          />
        )
      })}
    </>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useRefresh } from '@/app/_api/use-call'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { SwitchField } from '@/app/_ui/check'
import { NumberField, PasswordField, TextArea, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import type { Directory } from './directory-page'
import { TestRow } from './test-row'
import { findingOf, inputOf, kinds, type PartProps, securities, usualPort, type Values, valuesOf } from './values'

/** Server, login and what is searched; a test by what stands here, saved or not. */
export function DirectoryForm({ directory }: { directory: Directory }) {
  const t = useTranslations('ldap.server')
  const refresh = useRefresh()
  const [values, setValues] = useState(() => valuesOf(directory))
  const { errors, busy, run } = useSubmit<'save' | 'test'>()
  const kept = directory?.bindPassword !== undefined
  const put = (change: Partial<Values>) => setValues(before => ({ ...before, ...change }))
  const save = async () => {
    await callApi('ldap/save', inputOf(values, kept))
    toast('ok', t('saved'))
    put({ bindPassword: '' })
    await refresh('ldap/get')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run('save', save)
  }
  const props = { values, put, errors }
  return (
    <form className="stack" style={{ maxInlineSize: 640 }} onSubmit={submit} noValidate>
      <ServerFields {...props} />
      <LoginFields {...props} kept={kept} />
      <PeopleFields {...props} />
      <GroupFields {...props} />
      <TestRow input={() => inputOf(values, kept)} {...{ errors, run, busy }} />
      <div>
        <Button type="submit" kind="primary" busy={busy === 'save'}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

type TextKey =
  | 'base'
  | 'filter'
  | 'bindDn'
  | 'groupBase'
  | 'groupFilter'
  | `${'account' | 'name' | 'email' | 'role'}Attribute`
const plain = { dir: 'ltr', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

/** A text as the directory writes it. */
function Plain({ name, optional, values, put, errors }: PartProps & { name: TextKey; optional?: boolean }) {
  const t = useTranslations('ldap.fields')
  const help = `${name}Help` as const
  return (
    <TextField
      {...plain}
      label={t(name)}
      help={t.has(help) ? t(help as 'baseHelp') : undefined}
      optional={optional}
      value={values[name]}
      error={errors[name]}
      onChange={value => put({ [name]: value })}
    />
  )
}

function ServerFields({ values, put, errors }: PartProps) {
  const t = useTranslations('ldap.server')
  const secure = (security: Values['security']) =>
    put({ security, ...(values.port === usualPort[values.security] && { port: usualPort[security] }) })
  return (
    <>
      <SwitchField
        label={t('enabled')}
        help={t('enabledHelp')}
        checked={values.enabled}
        onChange={enabled => put({ enabled })}
      />
      <SelectField
        label={t('security')}
        value={values.security}
        options={securities.map(value => ({ value, label: t(`securities.${value}`) }))}
        onChange={security => secure(security as Values['security'])}
      />
      <div className="two-columns">
        <TextField
          {...plain}
          label={t('host')}
          value={values.host}
          error={errors.host}
          onChange={host => put({ host })}
        />
        <NumberField
          label={t('port')}
          value={values.port}
          error={errors.port}
          onChange={port => put({ port: port ?? 0 })}
        />
      </div>
      <TextArea
        label={t('ca')}
        help={t('caHelp')}
        optional
        code
        dir="ltr"
        rows={4}
        spellCheck={false}
        value={values.ca}
        error={errors.ca}
        onChange={ca => put({ ca })}
      />
    </>
  )
}

function LoginFields({ kept, ...props }: PartProps & { kept: boolean }) {
  const t = useTranslations('ldap.fields')
  const { values, put, errors } = props
  return (
    <>
      <Plain name="bindDn" optional {...props} />
      <PasswordField
        label={t('bindPassword')}
        optional
        kept={kept}
        autoComplete="new-password"
        value={values.bindPassword}
        error={errors.bindPassword}
        onChange={bindPassword => put({ bindPassword })}
      />
    </>
  )
}

function PeopleFields(props: PartProps) {
  const t = useTranslations('ldap.people')
  return (
    <>
      <div>
        <h3 className="font-semibold">{t('title')}</h3>
        <p className="soft">{t('help')}</p>
      </div>
      <div className="row wrapping">
        {kinds.map(kind => (
          <Button key={kind} small onClick={() => props.put(findingOf(kind))}>
            {t(`kinds.${kind}`)}
          </Button>
        ))}
      </div>
      <Plain name="base" {...props} />
      <Plain name="filter" {...props} />
      <Plain name="accountAttribute" {...props} />
      <div className="two-columns">
        <Plain name="nameAttribute" optional {...props} />
        <Plain name="emailAttribute" optional {...props} />
      </div>
    </>
  )
}

function GroupFields(props: PartProps) {
  const t = useTranslations('ldap.groups')
  return (
    <>
      <div>
        <h3 className="font-semibold">{t('title')}</h3>
        <p className="soft">{t('help')}</p>
      </div>
      <Plain name="roleAttribute" optional {...props} />
      <Plain name="groupFilter" optional {...props} />
      <Plain name="groupBase" optional {...props} />
    </>
  )
}

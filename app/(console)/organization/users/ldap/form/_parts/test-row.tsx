'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import type { OwnPart } from '@/app/_form/own-form'
import { Button } from '@/app/_ui/button'
import { KeyValues } from '@/app/_ui/card'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'

type Found = CallOutput<'ldap/test'>['person']

/** Looks for one person now, and shows what the directory tells of them. */
export function TestRow({ act, busy, form }: OwnPart) {
  const t = useTranslations('ldap.test')
  const [name, setName] = useState('')
  const [found, setFound] = useState<Found>()
  const test = () =>
    act('test', async fields => {
      setFound(undefined)
      const input = { ...fields, name } as CallInput<'ldap/test'>
      setFound((await callApi('ldap/test', input)).person)
    })
  return (
    <div className="stack">
      <TextField
        label={t('name')}
        help={t('help')}
        optional
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        error={form.errors.name}
        onChange={setName}
      />
      <div>
        <Button icon="check" busy={busy === 'test'} onClick={() => void test()}>
          {t('go')}
        </Button>
      </div>
      <div role="status">
        {found === null && <Note tone="warn" title={t('nobody')} />}
        {found && <Person {...found} />}
      </div>
    </div>
  )
}

function Person({ dn, name, email, groups }: NonNullable<Found>) {
  const t = useTranslations('ldap.test')
  const plain = (text: string) => (
    <span key={text} dir="ltr" className="break-all">
      {text}
    </span>
  )
  return (
    <Note tone="ok" title={t('found')}>
      <KeyValues
        stacked
        rows={[
          [t('dn'), plain(dn)],
          name !== '' && [t('personName'), <bdi key="name">{name}</bdi>],
          email !== '' && [t('email'), plain(email)],
          [
            t('groups'),
            groups.length ? (
              <ul key="groups">
                {groups.map(group => (
                  <li key={group}>{plain(group)}</li>
                ))}
              </ul>
            ) : (
              t('noGroups')
            ),
          ],
        ]}
      />
    </Note>
  )
}

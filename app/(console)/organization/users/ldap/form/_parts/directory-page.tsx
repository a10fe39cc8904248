'use client'
import { useTranslations } from 'next-intl'
import { OwnForm, type OwnPart } from '@/app/_form/own-form'
import type { KindSpec } from '@/app/_form/spec'
import { Button } from '@/app/_ui/button'
import { PageHead } from '@/app/_ui/page-head'
import type { Data } from '@/model/kind'
import { RoleLines } from '../../../_parts/role-lines'
import { presetNames, presets } from './presets'
import { TestRow } from './test-row'

const usualPort: Readonly<Record<string, number>> = { ldaps: 636, starttls: 389 }
const follow = (key: string, value: unknown, { port, security }: Data): Data =>
  key === 'security' && port === usualPort[String(security)] ? { port: usualPort[String(value)] } : {}

/** Sign-in by the company's directory: where it is, how people are found in it, and which role it gives to whom. */
export function DirectoryPage({ spec }: { spec: KindSpec<'directory'> }) {
  const t = useTranslations('ldap')
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')} />
      <div className="stack">
        <OwnForm
          pageNamed
          spec={spec}
          changes={['ldap/get']}
          suggested={presets.openLdap}
          follow={follow}
          beside={(key, part) => key === 'accountAttribute' && <Presets {...part} />}
          extra={part => <TestRow {...part} />}
        />
        <RoleLines source="ldap" />
      </div>
    </>
  )
}

/** What is usual, to begin with. */
function Presets({ form }: OwnPart) {
  const t = useTranslations('ldap.presets')
  return (
    <div className="row w">
      {presetNames.map(name => (
        <Button
          key={name}
          small
          onClick={() => {
            for (const [key, value] of Object.entries(presets[name])) form.set(key, value)
          }}
        >
          {t(name)}
        </Button>
      ))}
    </div>
  )
}

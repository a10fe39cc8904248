'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { Button, IconButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Menu } from '@/app/_ui/menu'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { entersAll } from '@/model/authority'
import { limits } from '@/model/limits'
import { RoleFields } from './user-form'
import { useRoleName } from './words'

type Source = 'saml' | 'ldap'
type Line = CallOutput<`${Source}/roles/list`>['result'][number]
type Asking = { what: 'save'; line?: Line } | { what: 'delete'; line: Line } | undefined

/** Which value of an identity provider or directory gives which role; the first that fits counts. */
export function RoleLines({ source }: { source: Source }) {
  const t = useTranslations('users.lines')
  const call = useCall(`${source}/roles/list`, { pageSize: 100 })
  const [asking, setAsking] = useState<Asking>()
  const close = () => setAsking(undefined)
  return (
    <Card
      title={t('title')}
      meta={
        <Button small icon="plus" onClick={() => setAsking({ what: 'save' })}>
          {t('add')}
        </Button>
      }
    >
      <p className="soft padded">{t('help')}</p>
      <Loaded call={call}>
        {({ result }) =>
          result.length === 0 ? (
            <EmptyState icon="lock" title={t('empty')} />
          ) : (
            <ol className="role-list">
              {result.map(line => (
                <RoleLine key={line.id} line={line} ask={setAsking} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {asking?.what === 'save' && <SaveDialog source={source} line={asking.line} onClose={close} />}
      {asking?.what === 'delete' && <DeleteDialog source={source} line={asking.line} onClose={close} />}
    </Card>
  )
}

function RoleLine({ line, ask }: { line: Line; ask: (asking: Asking) => void }) {
  const t = useTranslations('users.lines')
  const nameOf = useRoleName()
  const { value, role, roleName, allNetworks, networks } = line
  const where = networks.map(network => network.name).join(', ')
  return (
    <li>
      <div className="grow">
        <bdi className="name break-all">{value}</bdi>
        <p className="soft">
          {nameOf(role, roleName)} · {allNetworks || entersAll(role) ? t('everywhere') : where || t('nowhere')}
        </p>
      </div>
      <Menu
        trigger={<IconButton small kind="ghost" icon="more" label={t('actions', { value })} />}
        groups={[
          { actions: [{ label: t('edit'), icon: 'edit', onSelect: () => ask({ what: 'save', line }) }] },
          {
            actions: [
              { label: t('delete'), icon: 'trash', danger: true, onSelect: () => ask({ what: 'delete', line }) },
            ],
          },
        ]}
      />
    </li>
  )
}

type DialogProps = { source: Source; onClose: () => void }

function SaveDialog({ source, line, onClose }: DialogProps & { line: Line | undefined }) {
  const t = useTranslations('users.lines')
  const options = useCall('users/role', {})
  const [value, setValue] = useState(line?.value ?? '')
  const [rights, setRights] = useState({
    role: line?.role ?? '',
    allNetworks: line?.allNetworks ?? false,
    networks: line?.networks.map(network => network.id) ?? [],
  })
  const save = async () => {
    const allNetworks = rights.allNetworks || entersAll(rights.role)
    await callApi(`${source}/roles/save`, { ...(line && { id: line.id }), value, ...rights, allNetworks })
    toast('ok', t('saved', { value: value.trim() }))
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={line ? t('editTitle', { value: line.value }) : t('addTitle')}
      action={t('save')}
      disabled={value.trim() === '' || rights.role === ''}
      onConfirm={save}
    >
      {errors => (
        <>
          <TextField
            label={t('value')}
            help={t('valueHelp')}
            value={value}
            error={errors.value}
            maxLength={limits.textCharacters}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={setValue}
          />
          <Loaded call={options}>
            {given => (
              <RoleFields
                fields={rights}
                errors={errors}
                put={change => setRights(before => ({ ...before, ...change }))}
                options={given}
                before={line}
              />
            )}
          </Loaded>
        </>
      )}
    </ConfirmDialog>
  )
}

function DeleteDialog({ source, line, onClose }: DialogProps & { line: Line }) {
  const t = useTranslations('users.lines')
  const { id, value } = line
  return (
    <ActDialog
      call={`${source}/roles/delete`}
      input={{ id }}
      done={t('deleted', { value })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { value })}
      consequences={[t('deleteWhat')]}
      action={t('delete')}
    />
  )
}

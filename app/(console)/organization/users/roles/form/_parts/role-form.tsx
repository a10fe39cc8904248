'use client'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button, LinkButton } from '@/app/_ui/button'
import { Below, TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { rolePresets } from '@/model/authority-presets'
import { limits } from '@/model/limits'
import { FeatureTree } from '../../../../_parts/feature-tree'
import { useRoleAbout, useRoleName } from '../../../_parts/words'

const list = '/organization/users?tab=roles'
type Tree = CallOutput<'roles/tree'>
type Role = CallOutput<'roles/list'>['result'][number]

/** Of what a role holds, as much as one may put into another: copies of built-in ones lack the super administrator's own. */
function givable(like: Role | undefined, tree: Tree): string[] {
  const features = tree.result.flatMap(area => area.features)
  const names = features.flatMap(({ read, edits, mayRead, mayEdit }) => [
    ...(mayRead ? [read] : []),
    ...(mayEdit ? edits : []),
  ])
  return names.filter(name => like?.authorities.includes(name))
}

type Props = { id: string | undefined; copy: string | undefined }

/** Creates a role, like `copy` where one is named; with `id` changes one, or shows it where it is not one's to change. */
export function RoleForm({ id, copy }: Props) {
  const t = useTranslations('users.roles')
  const router = useRouter()
  const tree = useCall('roles/tree', {})
  const roles = useCall('roles/list', {}, { keep: false })
  const role = roles.data?.result.find(one => one.id === id)
  const like = roles.data?.result.find(one => one.id === copy)
  const gone = id !== undefined && roles.data !== undefined && !role
  useEffect(() => {
    if (!gone) return
    toast('bad', t('gone'))
    router.replace(list)
  }, [gone, router, t])
  const ready = tree.data && roles.data && !gone
  const fixed = role ? !role.editable : tree.data?.mayMake === false
  return (
    <>
      <PageHead title={id === undefined ? t('createTitle') : fixed ? t('lookTitle') : t('editTitle')} />
      <section className="card" style={{ maxInlineSize: 'var(--form-max)' }}>
        {ready && tree.data ? (
          fixed ? (
            <Shown role={role} tree={tree.data} />
          ) : (
            <Form key={role?.id} role={role} like={like} tree={tree.data} />
          )
        ) : (
          <SkeletonLines lines={6} />
        )}
      </section>
    </>
  )
}

/** A role that is built in, or above one's own: what it holds. */
function Shown({ role, tree }: { role: Role | undefined; tree: Tree }) {
  const t = useTranslations('users.roles')
  const nameOf = useRoleName()
  const about = useRoleAbout()
  return (
    <>
      <div className="form-section">
        <h2>{role && nameOf(role.id, role.name)}</h2>
        <p>{role?.builtIn ? about(role.id) : t('above')}</p>
      </div>
      <div className="form-section">
        <FeatureTree areas={tree.result} held={role?.authorities ?? []} />
      </div>
      <div className="form-section">
        <div className="form-end">
          <LinkButton href={list}>{t('back')}</LinkButton>
        </div>
      </div>
    </>
  )
}

function useSave(role: Role | undefined) {
  const t = useTranslations('users.roles')
  const router = useRouter()
  const { errors, busy, run } = useSubmit<'save'>()
  const save = (name: string, authorities: readonly string[]) =>
    run('save', async () => {
      await callApi('roles/save', { ...(role && { id: role.id }), name, authorities: [...authorities] })
      toast('ok', t(role ? 'saved' : 'created', { name: name.trim() }))
      router.push(list)
    })
  return { save, errors, busy: busy !== undefined }
}

function Form({ role, like, tree }: { role: Role | undefined; like: Role | undefined; tree: Tree }) {
  const t = useTranslations('users.roles')
  const nameOf = useRoleName()
  const copied = like && t('copyName', { name: nameOf(like.id, like.name) }).slice(0, limits.roleNameCharacters)
  const { values, put, changed } = useFields<{ name: string; held: readonly string[] }>({
    name: role?.name ?? copied ?? '',
    held: role?.authorities ?? givable(like, tree),
  })
  const { name, held } = values
  const { save, errors, busy } = useSave(role)
  const holders = role?.holders ?? 0
  const other = [...held].sort().join() !== [...(role?.authorities ?? [])].sort().join()
  const complete = name.trim() !== '' && held.some(one => one !== 'account')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (complete) void save(name, held)
      }}
    >
      <LeaveGuard on={changed} busy={busy} />
      <div className="form-section">
        <h2>{t('fields')}</h2>
        <TextField
          label={t('nameField')}
          help={t('nameHelp')}
          error={errors.name}
          value={name}
          maxLength={limits.roleNameCharacters}
          autoComplete="off"
          onChange={text => put({ name: text })}
        />
      </div>
      <div className="form-section">
        <h2>{t('content')}</h2>
        <p>{t('contentHelp')}</p>
        <FeatureTree
          areas={tree.result}
          held={held}
          onChange={names => put({ held: names })}
          {...(!role && !like && { presets: rolePresets })}
        />
        <Below help={undefined} error={errors.authorities} />
        {holders > 0 && other && <Note tone="warn" title={t('sessionsEnd', { count: holders })} />}
      </div>
      <div className="form-section">
        <div className="form-end">
          <LinkButton href={list}>{t('cancel')}</LinkButton>
          <Button type="submit" kind="primary" busy={busy} disabled={!complete}>
            {t(role ? 'save' : 'create')}
          </Button>
        </div>
      </div>
    </form>
  )
}

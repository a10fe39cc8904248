'use client'
import { useRouter, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { callApi, whenRenewed } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { LeaveGuard } from '@/app/_form/leave-guard'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { SwitchField } from '@/app/_ui/check'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextArea, TextField } from '@/app/_ui/field'
import { GroupTree } from '@/app/_ui/group-tree'
import { PageHead } from '@/app/_ui/page-head'
import { EmptyState, Loaded, SkeletonLines } from '@/app/_ui/states'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import { useGroupPath } from '../../_parts/use-group-path'
import { GroupList } from './group-list'
import { PasswordButton } from './group-password'
import type { GroupNode } from './rows'

type Values = { groupName: string; parentId: number; description: string; isDefault: boolean }
const root = -1
const nobody: Values = { groupName: '', parentId: root, description: '', isDefault: false }

/** The tree of device groups beside the form of one: without `?id=` a new group. */
export function GroupForm() {
  const t = useTranslations('devices.group')
  const id = Number(useSearchParams().get('id')) || undefined
  const path = useGroupPath()
  const tree = useNetworkCall('groups/tree', {}, { live: true })
  return (
    <>
      <PageHead title={t('title')}>
        <LinkButton href={path.list}>{t('back')}</LinkButton>
        <LinkButton icon="plus" kind={id === undefined ? 'plain' : 'primary'} href={path.form}>
          {t('new')}
        </LinkButton>
      </PageHead>
      <div className="wide-and-narrow">
        <Card title={t('tree')}>
          <Loaded call={tree}>
            {({ result }) =>
              result.length === 0 ? (
                <EmptyState slim icon="folder" title={t('empty')} />
              ) : (
                <GroupList nodes={result} active={id} />
              )
            }
          </Loaded>
        </Card>
        <Card title={id === undefined ? t('new') : t('edit')}>
          {id === undefined ? (
            <Form key="new" tree={tree.data?.result ?? []} start={nobody} />
          ) : (
            <Existing key={id} id={id} tree={tree.data?.result ?? []} />
          )}
        </Card>
      </div>
    </>
  )
}

function Existing({ id, tree }: { id: number; tree: GroupNode[] }) {
  const t = useTranslations('devices.group')
  const router = useRouter()
  const path = useGroupPath()
  const info = useNetworkCall('groups/info', { groupId: id }, { keep: false, swr: { revalidateIfStale: true } })
  useEffect(() => {
    if (!info.error) return
    toast('bad', t('gone'))
    router.replace(path.form)
  }, [info.error, router, path.form, t])
  if (!info.data) return <SkeletonLines lines={4} />
  return <Form id={id} tree={tree} start={info.data} />
}

/** A group without those that lie below it: it cannot be moved into itself. */
const without = (nodes: readonly GroupNode[], id: number | undefined): GroupNode[] =>
  nodes.filter(node => node.id !== id).map(node => ({ ...node, children: without(node.children, id) }))

type FormProps = { id?: number; tree: GroupNode[]; start: Values }

/** Saves a group and deletes it; each leads on to what there is then. */
function useActions({ id, start }: Pick<FormProps, 'id' | 'start'>) {
  const t = useTranslations('devices.group')
  const router = useRouter()
  const path = useGroupPath()
  const { errors, busy, run } = useSubmit<'save'>()
  const save = (values: Values) =>
    run('save', async () => {
      const done =
        id === undefined
          ? await callApi('groups/add', withNetwork(values))
          : await callApi('groups/edit', withNetwork({ groupId: id, ...values }))
      toast('ok', t('saved', { name: values.groupName }))
      await whenRenewed()
      router.replace(`${path.form}?id=${done.groupId}`)
    })
  const remove = async () => {
    if (id === undefined) return
    await callApi('groups/delete', withNetwork({ groupId: id }))
    toast('ok', t('deleted', { name: start.groupName }))
    router.replace(path.form)
  }
  return { save, remove, errors, busy: busy !== undefined }
}

function Form({ id, tree, start }: FormProps) {
  const t = useTranslations('devices.group')
  const { values, put, field, changed, kept } = useFields<Values>({
    groupName: start.groupName,
    parentId: start.parentId,
    description: start.description,
    isDefault: start.isDefault,
  })
  const { save, remove, errors, busy } = useActions({ ...(id !== undefined && { id }), start })
  const others = without(tree, id)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        void save(values).then(done => done && kept())
      }}
    >
      <LeaveGuard on={changed} busy={busy} />
      <div className="form-section">
        <TextField
          label={t('name')}
          {...field('groupName', errors)}
          maxLength={limits.groupNameCharacters}
          autoComplete="off"
        />
        <GroupTree
          label={t('parent')}
          help={t('parentHelp')}
          error={errors.parentId}
          tree={[{ id: root, name: t('top'), children: [] }, ...others]}
          value={String(values.parentId)}
          disabled={others.length === 0}
          onChange={parentId => put({ parentId: Number(parentId) })}
        />
        <TextArea
          label={t('description')}
          optional
          {...field('description', errors)}
          maxLength={limits.textCharacters}
        />
        <SwitchField
          label={t('default')}
          help={t('defaultHelp')}
          checked={values.isDefault}
          onChange={isDefault => put({ isDefault })}
        />
      </div>
      <div className="form-section form-end">
        {id !== undefined && <PasswordButton id={id} name={start.groupName} />}
        {id !== undefined && <DeleteButton id={id} name={start.groupName} remove={remove} />}
        <Button type="submit" kind="primary" busy={busy} disabled={values.groupName.trim() === ''}>
          {id === undefined ? t('create') : t('save')}
        </Button>
      </div>
    </form>
  )
}

type DeleteProps = { id: number; name: string; remove: () => Promise<void> }

function DeleteButton({ id, name, remove }: DeleteProps) {
  const t = useTranslations('devices.group')
  const [asking, setAsking] = useState(false)
  const consequences = useConsequences(asking ? id : undefined)
  return (
    <>
      <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        onClose={() => setAsking(false)}
        title={t('deleteTitle', { name })}
        consequences={consequences}
        disabled={consequences.length === 0}
        action={t('delete')}
        onConfirm={remove}
      />
    </>
  )
}

/** What deleting a group would do, as the manager counts it now; nothing until that is known. */
function useConsequences(id: number | undefined): string[] {
  const t = useTranslations('devices.group')
  const { data } = useNetworkCall('groups/check', id === undefined ? null : { siteId: id }, { keep: false })
  if (!data) return []
  const to = data.toName || t('noGroup')
  return [
    t('deleteNow', { count: data.devices, to }),
    ...(data.groups > 0 ? [t('deleteInner', { count: data.groups })] : []),
    ...(data.settings > 0 ? [t('deleteSet', { count: data.settings })] : []),
    ...(data.given > 0 ? [t('deleteGiven', { count: data.given })] : []),
    ...(data.isDefault ? [t('deleteDefault')] : []),
  ]
}

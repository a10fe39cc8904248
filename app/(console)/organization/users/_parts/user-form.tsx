'use client'
import { useTranslations } from 'next-intl'
import { callApi } from '@/app/_api/client'
import { useFields } from '@/app/_api/use-fields'
import { AccountTypeField } from '@/app/_shared/account-type'
import { SwitchField } from '@/app/_ui/check'
import { MultiSelect } from '@/app/_ui/combo-field'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { RuleList, useSignInNameRules, useUserNameRules } from '@/app/_ui/rule-list'
import { SelectField } from '@/app/_ui/select-field'
import { toast } from '@/app/_ui/toast'
import { limits } from '@/model/limits'
import { EmailField } from './email-field'
import type { Options, User } from './rows'
import { useRoleAbout, useRoleName } from './words'

type Rights = { role: string; allNetworks: boolean; networks: number[] }
export type Fields = Rights &
  Pick<User, 'type' | 'address'> & { account: string; username: string; email: string; company: string }
type Errors = Readonly<Record<string, string>>

const startOf = (user: User | undefined): Fields => ({
  account: user?.account ?? '',
  username: user?.username ?? '',
  email: user?.email ?? '',
  company: user?.company ?? '',
  address: user?.address ?? '',
  type: user?.type ?? '',
  role: user?.role ?? '',
  allNetworks: user?.allNetworks ?? false,
  networks: user?.networks.map(network => network.id) ?? [],
})

type Props = {
  /** Somebody to change; without, somebody is added. */
  user: User | undefined
  options: Options
  onClose: () => void
  onLink: (account: string, link: string) => void
}

/** Adds somebody, or changes who they are and what they may do. */
export function UserForm({ user, options, onClose, onLink }: Props) {
  const t = useTranslations('users')
  const { values: fields, put, field } = useFields(startOf(user))
  const everywhere = options.result.find(role => role.id === fields.role)?.everywhere ?? false
  const handed = !options.mail || fields.email.trim() === ''
  const name = user?.account ?? fields.account.trim().toLowerCase()
  const save = async () => {
    const { account, username, ...rest } = fields
    const given = { ...rest, allNetworks: everywhere || rest.allNetworks }
    const { link } = user
      ? await callApi('users/edit', { id: user.id, username, ...given })
      : await callApi('users/add', { account, ...given, ...(username.trim() && { username }) })
    if (!link) return toast('ok', t(user ? 'saved' : 'invited', { name }))
    onLink(name, link)
    return 'stay'
  }
  const complete = fields.role !== '' && (user ? fields.username : fields.account).trim() !== ''
  return (
    <ConfirmDialog
      open
      title={user ? t('editTitle', { name }) : t('addTitle')}
      help={user ? undefined : t('addHelp')}
      action={user ? t('save') : handed ? t('addNow') : t('inviteNow')}
      disabled={!complete}
      consequences={user && user.state !== 'inactivated' && rightsChange(user, fields) ? [t('sessionsEnd')] : []}
      onClose={onClose}
      onConfirm={save}
    >
      {errors => (
        <>
          <WhoFields field={field} errors={errors} user={user} />
          <RoleFields fields={fields} errors={errors} put={put} options={options} before={user} />
          {!user && handed && (
            <Note tone="info" title={t(options.mail ? 'noAddress' : 'noMail')}>
              {t('noMailHelp')}
            </Note>
          )}
        </>
      )}
    </ConfirmDialog>
  )
}

const rightsChange = (user: User, fields: Fields) => {
  const before = startOf(user)
  const rights = (of: Fields) => JSON.stringify([of.role, of.allNetworks, [...of.networks].sort()])
  return rights(before) !== rights(fields)
}

type WhoProps = { field: ReturnType<typeof useFields<Fields>>['field']; errors: Errors; user: User | undefined }

function WhoFields({ field, errors, user }: WhoProps) {
  const isNew = !user
  const t = useTranslations('users.form')
  const account = field('account', errors)
  const username = field('username', errors)
  const accountRules = useSignInNameRules(account.value)
  const userNameRules = useUserNameRules(username.value)
  return (
    <>
      {isNew && (
        <TextField
          label={t('account')}
          help={
            <>
              {t('accountHelp')}
              <RuleList rules={accountRules} />
            </>
          }
          {...account}
          maxLength={limits.accountCharacters}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <TextField
        label={t('username')}
        help={<RuleList rules={userNameRules} />}
        optional={isNew}
        {...username}
        maxLength={limits.accountCharacters}
        autoComplete="off"
      />
      <div className="two-columns">
        <EmailField user={user?.id} {...field('email', errors)} />
        <TextField
          label={t('company')}
          optional
          {...field('company', errors)}
          maxLength={limits.companyCharacters}
          autoComplete="off"
        />
      </div>
      <div className="two-columns">
        <TextField
          label={t('address')}
          optional
          {...field('address', errors)}
          maxLength={limits.addressCharacters}
          autoComplete="off"
        />
        <AccountTypeField label={t('type')} help={t('typeHelp')} {...field('type', errors)} />
      </div>
    </>
  )
}

type RoleProps = {
  fields: Rights
  errors: Errors
  put: (change: Partial<Rights>) => void
  options: Options
  /** The role as it is now, which need not be one's own to give. */
  before?: { role: string; roleName: string }
}

/** What somebody may do, and where. */
export function RoleFields({ fields, errors, put, options, before }: RoleProps) {
  const t = useTranslations('users.form')
  const roleName = useRoleName()
  const about = useRoleAbout()
  const roles = options.result.map(role => ({ value: role.id, label: roleName(role.id, role.name) }))
  const role = options.result.find(one => one.id === fields.role)
  const kept = before && !role ? [{ value: before.role, label: roleName(before.role, before.roleName) }] : []
  return (
    <>
      <SelectField
        label={t('role')}
        value={fields.role}
        error={errors.role}
        options={[...roles, ...kept]}
        onChange={next => put({ role: next })}
      />
      {fields.role !== '' && <p className="help">{about(fields.role)}</p>}
      {!role?.everywhere && options.allNetworks && (
        <SwitchField
          label={t('allNetworks')}
          help={t('allNetworksHelp')}
          error={errors.allNetworks}
          checked={fields.allNetworks}
          onChange={allNetworks => put({ allNetworks })}
        />
      )}
      {!role?.everywhere && !fields.allNetworks && (
        <MultiSelect
          label={t('networks')}
          help={fields.networks.length === 0 ? t('networksNone') : undefined}
          error={errors.networks}
          value={fields.networks.map(String)}
          options={options.networks.map(network => ({ value: String(network.id), label: network.name }))}
          onChange={chosen => put({ networks: chosen.map(Number) })}
        />
      )}
    </>
  )
}

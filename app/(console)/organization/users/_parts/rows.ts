import type { CallOutput } from '@/app/_api/client'

export type User = CallOutput<'users/list'>['result'][number]
export type Options = CallOutput<'users/role'>

export type Company = CallOutput<'companies/list'>['result'][number]

export type Asking =
  | { what: 'add' }
  | ({ what: 'edit' | 'disable' | 'delete' | 'removeMfa' } & { user: User })
  | ({ what: 'link'; link: string } & { user: Pick<User, 'account'> })
  | undefined

import type { CallOutput } from '@/app/_api/client'

export type GroupNode = CallOutput<'groups/tree'>['result'][number]
export type PasswordItem = CallOutput<'groups/password/result'>['items'][number]
export type Given = CallOutput<'groups/business'>['result'][number]

import type { CallOutput } from '@/app/_api/client'

export type Key = CallOutput<'developer-api/keys/list'>['result'][number]
export type Scope = CallOutput<'developer-api/get'>

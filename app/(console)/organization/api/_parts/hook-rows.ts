import type { CallOutput } from '@/app/_api/client'

export type Hook = CallOutput<'webhooks/list'>['result'][number]
export type Scope = CallOutput<'webhooks/get'>

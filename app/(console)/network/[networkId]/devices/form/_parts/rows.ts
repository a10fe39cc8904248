import type { CallOutput } from '@/app/_api/client'

export type Stored = CallOutput<'credentials/list'>['result'][number]

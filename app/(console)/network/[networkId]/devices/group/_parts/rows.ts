import type { CallOutput } from '@/app/_api/client'

export type GroupNode = CallOutput<'groups/tree'>['result'][number]

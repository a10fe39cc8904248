import type { CallOutput } from '@/app/_api/client'

export type Invited = CallOutput<'auth/activation'>

import type { CallOutput } from '@/app/_api/client'

export type Backups = CallOutput<'backups/list'>
export type Backup = Backups['result'][number]

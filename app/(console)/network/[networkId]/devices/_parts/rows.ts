import type { CallOutput } from '@/app/_api/client'

export type Device = CallOutput<'devices/list'>['result'][number]

import type { CallOutput } from '@/app/_api/client'

export type PortRow = CallOutput<'devices/switch/ports'>['result'][number]

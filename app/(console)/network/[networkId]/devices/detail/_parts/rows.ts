import type { CallOutput } from '@/app/_api/client'

export type Client = CallOutput<'clients/list'>['result'][number]

export type PortRow = CallOutput<'devices/switch/ports'>['result'][number]

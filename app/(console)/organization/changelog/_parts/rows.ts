import type { CallOutput } from '@/app/_api/client'
import type { KindSpec } from '@/app/_form/spec'

export type Entry = CallOutput<'changelog/list'>['result'][number]
export type Specs = Readonly<Record<string, KindSpec>>

import type { CallOutput } from '@/app/_api/client'

/** A network that another company offers. */
export type Offer = CallOutput<'networks/share/list'>['received'][number]

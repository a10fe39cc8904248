import type { CallOutput } from '@/app/_api/client'

export type Saml = CallOutput<'saml/get'>

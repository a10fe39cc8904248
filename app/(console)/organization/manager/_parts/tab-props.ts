import type { ReactNode } from 'react'
import type { KindSpec } from '@/app/_form/spec'

/** The kinds of settings that stand on these pages, as their forms draw them. */
export type OwnSpecs = { readonly [K in 'general' | 'mailServer' | 'security' | 'backupSchedule']: KindSpec<K> }
export type TabProps = { specs: OwnSpecs; children?: ReactNode }

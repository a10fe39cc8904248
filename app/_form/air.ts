'use client'
import { createContext } from 'react'
import type { CallOutput } from '@/app/_api/client'

/**
 * What radios may use in the country that the form has now, and what they use; undefined while that is on its way, null
 * where nobody asks.
 */
export const Air = createContext<CallOutput<'wifi/radios/get'> | undefined | null>(null)

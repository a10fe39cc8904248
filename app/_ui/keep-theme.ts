'use server'
import { cookies } from 'next/headers'
import { themes } from './theme'

const options = { path: '/', maxAge: 365 * 86_400, sameSite: 'lax', httpOnly: true } as const

/** Keeps the theme of this browser, so that the server draws the next page in it and nothing flashes. */
export async function keepTheme(appearance: number): Promise<void> {
  if (themes[appearance] !== undefined) (await cookies()).set('theme', String(appearance), options)
}

/** Keeps whether the sidebar of this browser is folded. */
export async function keepSidebar(slim: boolean): Promise<void> {
  ;(await cookies()).set('sidebar', slim ? 'slim' : 'wide', options)
}

/** Appearance numbers of the account (specification, "Theme map") as names of token sets. */
export const themes = ['system', 'light', 'dark', 'white'] as const
export type ThemeName = (typeof themes)[number]

/** The cookie holds the number; anything else follows the system. */
export const themeNameOf = (cookie: string | undefined): ThemeName => themes[Number(cookie ?? 0)] ?? 'system'

/** Shows a theme at once. */
export function showTheme(appearance: number): void {
  document.documentElement.dataset.theme = themes[appearance] ?? 'system'
}

export const shownTheme = (): number => Math.max(0, themes.indexOf(document.documentElement.dataset.theme as ThemeName))

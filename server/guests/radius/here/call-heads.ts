/** What calls of the manager's own RADIUS server say of themselves alike: they stand with the profiles. */
const head = { tag: 'settings', scope: 'network' } as const

export const reading = { ...head, authority: 'settings_profiles', changes: false } as const
export const changing = { ...head, authority: 'settings_profiles_edit', changes: true, send: 'once' } as const
/** A file of it. */
export const exporting = { ...reading, get: true, exports: true } as const

import { allAt, heldWith, lacking, presetLevels } from '@/app/(console)/organization/_parts/levels'

const feature = (read: string, edits: string[], mayRead = true, mayEdit = true) => ({ read, edits, mayRead, mayEdit })
const features = [
  feature('devices', ['devices_edit', 'devices_add']),
  feature('dashboard', []),
  feature('alerts', ['alerts_edit'], true, false),
  feature('users', ['users_edit'], false, false),
]
const heldAt = (level: 'none' | 'read' | 'edit') => heldWith(features, [], allAt(features, level))

test('all features at once: each as far as it goes, and as one may give', () => {
  expect(heldAt('none')).toEqual([])
  expect(heldAt('read')).toEqual(['devices', 'dashboard', 'alerts'])
  expect(heldAt('edit')).toEqual(['devices', 'devices_edit', 'devices_add', 'dashboard', 'alerts'])
})

test('one feature is set, whatever it held of it; what is not named, or not in the tree, stays', () => {
  const held = ['elsewhere', 'devices', 'devices_edit', 'users', 'users_edit']
  expect(heldWith(features, held, { devices: 'edit' })).toEqual([
    ...['elsewhere', 'users', 'users_edit'],
    ...['devices', 'devices_edit', 'devices_add'],
  ])
  expect(heldWith(features, held, { devices: 'none', flying: 'edit' })).toEqual(['elsewhere', 'users', 'users_edit'])
})

test('a preset sets each feature, as far as one may give it, and what it lacks is named', () => {
  const levels = { devices: 'edit', alerts: 'edit', users: 'read', metrics: 'read' }
  const preset = { id: 'any', levels } as unknown as Parameters<typeof presetLevels>[0]
  expect(presetLevels(preset, features)).toEqual({ devices: 'edit', dashboard: 'none', alerts: 'read', users: 'none' })
  expect(lacking(preset, features)).toEqual(['alerts', 'users', 'metrics'])
})

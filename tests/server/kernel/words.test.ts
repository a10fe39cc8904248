import type { Locale } from '@/model/locales'
import { over, wordsOf } from '@/server/kernel/words'

const english = { title: 'Devices', columns: { name: 'Name', status: 'Status' } }

test('what a language says is taken, English where it says nothing', () => {
  expect(over(english, { title: 'Geräte', columns: { name: 'Name' } })).toEqual({
    title: 'Geräte',
    columns: { name: 'Name', status: 'Status' },
  })
})

test('what English has not, or has in another shape, is not taken', () => {
  expect(over(english, { title: { x: 'y' }, columns: 'z', more: 'w', constructor: 'v' })).toEqual(english)
})

test('a language without a file has the English one; an area that does not exist is refused', async () => {
  expect(await wordsOf('xx' as Locale, 'menu')).toEqual(await wordsOf('en', 'menu'))
  await expect(wordsOf('en', 'nothing')).rejects.toThrow()
})

import { nameBook } from '@/server/insight/logs/resolved-names'
import { until } from '../../lab/_lab'

test('names are asked for one after the other; a silent resolver holds up nobody, and an unknown name has no address', async () => {
  const asked: string[] = []
  let answer: () => void = () => undefined
  let news = 0
  const book = nameBook(
    () => {
      news += 1
    },
    async name => {
      asked.push(name)
      if (name === 'slow') await new Promise<void>(done => (answer = done))
      if (name === 'nobody') throw new Error('ENOTFOUND')
      return ['10.0.0.7', 'fe80::1%eth0']
    },
  )
  for (let at = 0; at < 3; at++) for (const name of ['slow', 'nobody', 'ap']) expect(book.addresses(name)).toEqual([])
  expect(asked).toEqual(['slow'])
  answer()
  await until(() => book.addresses('ap').length === 2)
  expect(asked).toEqual(['slow', 'nobody', 'ap'])
  expect(book.addresses('nobody')).toEqual([])
  expect(news).toBe(2)
  book.keepOnly(new Set(['slow']))
  expect(book.addresses('slow')).toEqual(['10.0.0.7', 'fe80::1%eth0'])
  for (let at = 0; at < 5000; at++) book.addresses(`name-${at}`)
  expect(asked.length).toBeLessThan(4100)
  book.stop()
})

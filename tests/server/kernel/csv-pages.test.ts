// A list as a CSV file that is read page by page.
import { csvPages } from '@/server/kernel/csv'

type Row = { name: string; size?: number }
const columns = [
  ['name', (one: Row) => one.name],
  ['size', (one: Row) => one.size],
] as const
const pages: Record<number, { rows: Row[]; next?: number }> = {
  0: { rows: [{ name: '=a', size: 1 }, { name: 'b' }], next: 7 },
  7: { rows: [], next: 9 },
  9: { rows: [{ name: 'c;d', size: 0 }] },
}

test('a file of pages has its head once, every row of every page, and is read no faster than it is taken', async () => {
  const asked: (number | undefined)[] = []
  const answer = csvPages('list.csv', {
    columns,
    async page(before) {
      asked.push(before)
      return pages[before ?? 0] ?? { rows: [] }
    },
  })
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="list.csv"')
  const reader = answer.body?.getReader()
  expect(asked).toEqual([])
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
    text += decoder.decode(read.value)
  expect(text).toBe('\uFEFFname,size\r\n"\'=a",1\r\nb,\r\n"c;d",0\r\n')
  expect(asked).toEqual([undefined, 7, 9])
})

test('of an empty list it is the head alone; one whose time is over breaks off', async () => {
  const empty = csvPages('list.csv', { columns, page: async () => ({ rows: [] }) })
  expect(await empty.text()).toBe('name,size\r\n')
  const late = csvPages('list.csv', { columns, limitMs: -1, page: async () => ({ rows: [] }) })
  await expect(late.text()).rejects.toThrow('took too long')
})

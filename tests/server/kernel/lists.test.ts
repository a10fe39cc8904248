import { listed } from '@/server/kernel/lists'

const rows = ['ap-10', 'ap-2', 'Gate', 'switch'].map((name, at) => ({ name, floor: [3, undefined, 1, 2][at] }))
const of = {
  text: (row: (typeof rows)[number]) => [row.name],
  sort: { name: (row: (typeof rows)[number]) => row.name, floor: (row: (typeof rows)[number]) => row.floor },
}
const names = (input: Parameters<typeof listed>[1]) => listed(rows, input, of).result.map(row => row.name)

test('a list is searched whatever the case, and sorted as people order: numbers by size, nothing last both ways', () => {
  expect(names({ search: ' AP ' })).toEqual(['ap-10', 'ap-2'])
  expect(names({ sort: { field: 'name', direction: 'asc' } })).toEqual(['ap-2', 'ap-10', 'Gate', 'switch'])
  expect(names({ sort: { field: 'floor', direction: 'asc' } })).toEqual(['Gate', 'switch', 'ap-10', 'ap-2'])
  expect(names({ sort: { field: 'floor', direction: 'desc' } })).toEqual(['ap-10', 'switch', 'Gate', 'ap-2'])
})

test('a page past the end is the last one; without a size all is one page', () => {
  expect(listed(rows, { page: 9, pageSize: 3 }, of)).toMatchObject({ page: 2, total: 4, result: [{ name: 'switch' }] })
  expect(listed(rows, {}, of)).toMatchObject({ page: 1, total: 4, pageSize: 4 })
})

test('a field that the list does not know is refused at sort.field', () => {
  const refused = () => names({ sort: { field: 'colour', direction: 'asc' } })
  expect(refused).toThrow(expect.objectContaining({ data: { fields: { 'sort.field': 'notAllowed' } } }))
})

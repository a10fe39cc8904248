import type * as z from 'zod'
import { calls } from '@/server/door/calls'
import type { AnyCall } from '@/server/kernel/call'

// Every list call takes a page and its size, a search and a sort (specification readings, "lists").

const takes = ['page', 'pageSize', 'search', 'sort']
/** What is called so and is a comparison, whole as it is. */
const others = ['changes/list', 'import/list']

const lists = (calls as readonly AnyCall[]).filter(call => /(^|\/)list$/.test(call.path) && !others.includes(call.path))

test.each(lists.map(call => [call.path, call] as const))('%s pages, searches and sorts', (_, call) => {
  const shape = Object.keys((call.input as z.ZodObject).shape ?? {})
  expect(takes.filter(name => !shape.includes(name))).toEqual([])
})

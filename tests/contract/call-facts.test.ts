import { callFactsText } from '@/server/door/call-facts'
import { readText } from './_tree'

test('what browsers and the server in front know of calls is what these say: each build writes it anew', () => {
  expect(readText('model/call-facts.json')).toBe(callFactsText)
})

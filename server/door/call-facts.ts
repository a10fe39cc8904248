import type { AnyCall } from '@/server/kernel/call'
import { calls } from './calls'

/** What is to be known of a call before it is sent, or read; what is old after it is told with its answer. */
export type CallFacts = Pick<AnyCall, 'send' | 'seconds' | 'uploadBytes'>

function factsOf({ send, seconds, uploadBytes }: AnyCall): CallFacts {
  return { ...(send !== 'each' && { send }), seconds, uploadBytes }
}

const spaced = (json: string) => json.replace(/[:,]/g, '$& ').replace(/^\{/, '{ ').replace(/\}$/, ' }')

const lines = (calls as readonly AnyCall[])
  .map(call => ({ path: call.path, facts: JSON.stringify(factsOf(call)) }))
  .filter(({ facts }) => facts !== '{}')
  .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  .map(({ path, facts }) => `  ${JSON.stringify(path)}: ${spaced(facts)}`)

/** The text of model/call-facts.json: of each call what is not as usual, for browsers and for the server in front. */
export const callFactsText = `{\n${lines.join(',\n')}\n}\n`

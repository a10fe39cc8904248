import type { AnyCall } from '@/server/kernel/call'
import { calls } from './calls'

const all = (calls as readonly AnyCall[]).toSorted((a, b) => (a.path < b.path ? -1 : 1))
const sent = (as: AnyCall['send']) => all.filter(({ send }) => send === as).map(({ path }) => path)
const stated = (fact: 'seconds' | 'uploadBytes') =>
  Object.fromEntries(all.filter(call => call[fact] !== undefined).map(call => [call.path, call[fact]]))

const facts = {
  once: sent('once'),
  keepalive: sent('keepalive'),
  seconds: stated('seconds'),
  uploadBytes: stated('uploadBytes'),
}

/**
 * The text of model/call-facts.json: which calls are not as usual before they are sent, for browsers, or read, for the
 * server in front. By what it is about, since every page loads it.
 */
export const callFactsText = `${JSON.stringify(facts, null, 2)}\n`

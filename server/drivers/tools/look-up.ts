import { isIP } from 'node:net'
import type { Figures, RequestOf } from '@/model/troubleshooting/request'
import { DeviceError } from '../driver'
import { digAnswers, getentAnswers, nslookupAnswers } from './parse'
import type { Tool } from './tool'

// Names are asked for by what is there: dig, nslookup, or the system's own getent, which knows addresses and names alone.

type Seen = Extract<Figures, { tool: 'dns' }>
type Asked = { words: string[]; answers(text: string): string[]; silent: RegExp }

const refused = /\b(REFUSED|SERVFAIL)\b/
const noAnswer = /timed out|no servers could be reached|connection refused|communications error|can't resolve.*server/i

function wordsOf({ programs: { has } }: Tool, { name, type, server }: RequestOf<'dns'>): Asked {
  const reverse = isIP(name) !== 0
  if (has.has('dig')) {
    const what = reverse ? ['-x', name] : [name, type]
    const from = server === undefined ? [] : [`@${server}`]
    const words = ['dig', '+noall', '+answer', '+comments', '+time=3', '+tries=2', ...from, ...what]
    return { words, answers: digAnswers, silent: noAnswer }
  }
  if (has.has('nslookup')) {
    const words = ['nslookup', ...(reverse ? [] : [`-type=${type.toLowerCase()}`]), name, ...(server ? [server] : [])]
    return { words, answers: nslookupAnswers, silent: noAnswer }
  }
  const simple = server === undefined && (reverse || type === 'A' || type === 'AAAA')
  if (!simple || !has.has('getent')) throw new DeviceError('unsupported', 'missing: nslookup')
  const database = reverse ? 'hosts' : type === 'A' ? 'ahostsv4' : 'ahostsv6'
  return { words: ['getent', database, name], answers: text => getentAnswers(text, reverse), silent: /^$a/ }
}

/** The answers to a name, and how long they took. */
export async function lookUp(tool: Tool, request: RequestOf<'dns'>): Promise<Seen> {
  const { vantage, signal, line } = tool
  if (vantage.resolve) {
    const seen = await vantage.resolve(request, signal)
    for (const answer of seen.answers) line(answer)
    return seen
  }
  const { words, answers, silent } = wordsOf(tool, request)
  const begun = performance.now()
  const { text, code } = await vantage.run(words, { signal, seconds: 30, line })
  if (code === 127) throw new DeviceError('unsupported', `missing: ${words[0]}`)
  const found = answers(text)
  if (found.length > 0)
    return { tool: 'dns', state: 'found', answers: found, ms: Math.round(performance.now() - begun) }
  const state = silent.test(text) ? 'silent' : refused.test(text) ? 'refused' : 'none'
  return { tool: 'dns', state, answers: [] }
}

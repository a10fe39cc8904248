import { facilities } from '@/model/insight/facilities'
import { holds, lineText, partsOf } from '@/model/insight/log-pattern'
import type { LogRuleTerms } from '@/model/insight/log-rule'
import { type Reached, type RuleCounter, ruleCounter } from './rule-counter'
import { isNotification, type Line } from './store'

/** A rule as the thread is told it. */
export type ToldRule = {
  id: string
  network: number
  terms: LogRuleTerms
  /** Absent: lines of all devices of the network. */
  devices?: number[]
  /** Of which alerts are open already, for who does not know yet. */
  open: number[]
}
/** An alert of a rule about a device: that it is there, or that it is over. */
export type RuleNews = { rule: string; device: number } & ({ reached: Reached } | { overAt: number })

type Said = Pick<Line, 'pri' | 'way' | 'tag' | 'text'>

/** Whether a line is one of those that a rule looks for, whoever's it is. `text` gives it as patterns see it. */
function lineMatcher({ text: pattern, severity, facility }: Pick<LogRuleTerms, 'text' | 'severity' | 'facility'>) {
  const parts = pattern === undefined ? [] : partsOf(pattern)
  const most = severity === 'any' ? undefined : Number(severity)
  const own = facility === 'any' ? undefined : facilities.indexOf(facility)
  return ({ pri, way }: Said, text: () => string): boolean => {
    if (most !== undefined && (pri === undefined || (pri & 7) > most)) return false
    if (own !== undefined && (pri === undefined || isNotification(way) || pri >> 3 !== own)) return false
    return parts.length === 0 || holds(text(), parts)
  }
}

type Rule = {
  told: ToldRule
  /** What has to be the same for counts to go on. */
  key: string
  matches: ReturnType<typeof lineMatcher>
  devices: ReadonlySet<number> | undefined
  counter: RuleCounter
}

const keyOf = ({ network, terms }: ToldRule) => JSON.stringify([network, terms])

/** A rule as it is from now on: what is counted goes on where the rule looks for the same; open alerts stay open. */
function renewed(told: ToldRule, former: Rule | undefined, now: number): Rule {
  const key = keyOf(told)
  const devices = told.devices && new Set(told.devices)
  const counter = former?.key === key ? former.counter : ruleCounter(told.terms)
  const known: Iterable<readonly [number, number]> =
    former?.counter.open ?? told.open.map(device => [device, now] as const)
  for (const [device, last] of [...known]) {
    if (devices && !devices.has(device)) counter.close(device)
    else counter.open.set(device, last)
  }
  return { told, key, devices, counter, matches: lineMatcher(told.terms) }
}

/** Looks at each line that comes by the rules of its network, and says when one is reached and when that is over. */
export function logRules(onNews: (news: RuleNews) => void) {
  let rules = new Map<string, Rule>()
  let byNetwork = new Map<number, Rule[]>()
  return {
    know(told: readonly ToldRule[], now: number): void {
      rules = new Map(told.map(one => [one.id, renewed(one, rules.get(one.id), now)]))
      byNetwork = new Map()
      for (const rule of rules.values()) {
        const { network } = rule.told
        byNetwork.set(network, [...(byNetwork.get(network) ?? []), rule])
      }
    },
    see(line: Line): void {
      const own = line.device === 0 ? undefined : byNetwork.get(line.network)
      if (!own) return
      let folded: string | undefined
      const text = () => {
        folded ??= lineText(line.tag, line.text)
        return folded
      }
      const { device, at } = line
      for (const { told, devices, counter, matches } of own) {
        if (devices?.has(device) === false || counter.rests(device, at) || !matches(line, text)) continue
        const reached = counter.see(device, at)
        if (reached) onNews({ rule: told.id, device, reached })
      }
    },
    /** Tells which alerts are over. */
    settle(now: number): void {
      for (const { told, counter } of rules.values())
        for (const device of counter.settle(now)) onNews({ rule: told.id, device, overAt: now })
    },
  }
}

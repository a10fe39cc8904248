import type { FilterChain } from '../../observation'
import { clean, lines } from '../../unix/text'

const hooks = ['input', 'forward', 'output'] as const
const isHook = (hook: string | undefined): hook is FilterChain['hook'] => hooks.some(one => one === hook)
const maxChains = 500

type Row = { table: string; chain: string; hook: string; policy: string; stops: boolean; jumps: boolean; dnat: boolean }

const rowOf = (line: string): Row => {
  const [family = '', name = '', chain = '', hook = '', policy = '', marks = ''] = line.split(' ')
  const has = (mark: string) => marks.includes(mark)
  return { table: `${family} ${name}`, chain, hook, policy, stops: has('s'), jumps: has('j'), dnat: has('d') }
}

/**
 * The chains of others that every packet of a hook passes, from the reading script's lines
 * `FAMILY TABLE CHAIN HOOK|- POLICY MARKS`; marks: s drops or rejects, j jumps, d accepts what was forwarded to a port.
 * A chain that jumps stops packets where any chain of its table does: more is not followed.
 */
export function parseFilters(text: string | undefined): FilterChain[] {
  const rows = lines(text).slice(0, maxChains).map(rowOf)
  const stopping = new Set(rows.filter(row => row.stops).map(row => row.table))
  return rows
    .filter(row => !/ lanward/.test(row.table))
    .flatMap(row =>
      isHook(row.hook)
        ? [
            {
              chain: clean(`${row.table} ${row.chain}`, 100) ?? '',
              hook: row.hook,
              stops: row.policy === 'drop' || row.stops || (row.jumps && stopping.has(row.table)),
              passesForwards: row.dnat,
            },
          ]
        : [],
    )
}

/** Reads `nft -s list ruleset`, one line a chain; whole rule sets of container software are long. */
export const filtersScript = String.raw`
summary='$1 == "table" { table = $2 " " $3 }
$1 == "chain" { chain = $2; hook = "-"; policy = "accept"; marks = "-" }
$1 == "type" && $2 == "filter" && $3 == "hook" { hook = $4; if (/policy drop/) policy = "drop" }
chain != "" && /(^|[ \t])(drop|reject)([ \t]|$)/ { marks = marks "s" }
chain != "" && /(^|[ \t])(jump|goto) / { marks = marks "j" }
chain != "" && /ct status dnat accept/ { marks = marks "d" }
$1 == "}" && chain != "" { print table, chain, hook, policy, marks; chain = "" }'
if has nft && has awk; then part filters; limit nft -s list ruleset | awk "$summary" | head -n 500; done_ 0; fi
`

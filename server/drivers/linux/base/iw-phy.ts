import type { Radio, RadioBand } from '../../observation'
import { bandOf } from '../../unix/band'
import { clean, number, present } from '../../unix/text'

type PhyInfo = { band?: Radio['band']; maxBss?: number; can?: Radio['can'] }

/** A line of `Frequencies:`: `* 5260.0 MHz [52] (20.0 dBm) (no IR, radar detection)`. */
const frequency = /^\s*\* (\d{4})(?:\.\d)? MHz \[(\d{1,3})\](.*)$/gm

/** Of one `Band N:` part; undefined where it has no channel. Another country may allow what is disabled in this one. */
function bandIn(text: string): { band: NonNullable<Radio['band']>; can: RadioBand } | undefined {
  const all = [...text.matchAll(frequency)]
  const band = bandOf(number(all[0]?.[1]))
  if (!band) return undefined
  // Where it must not begin to send, it is no access point.
  const usable = all.filter(match => !/disabled|no.IR/i.test(match[3] ?? ''))
  const powers = usable.flatMap(match => number(/\((\d+\.\d) dBm\)/.exec(match[3] ?? '')?.[1], 1, 50) ?? [])
  const he = /HE Iftypes:[^\n]*\bAP\b/.test(text)
  const wide = [
    [40, /HT20\/HT40/.test(text) || (band === '6g' && he)],
    [80, band !== '2g' && (/VHT Capabilities/.test(text) || /HE40\/HE80\/5GHz/.test(text) || (band === '6g' && he))],
    [160, band !== '2g' && (/Supported Channel Width: 160 MHz/.test(text) || /HE160\/5GHz/.test(text))],
  ] as const
  const can: RadioBand = {
    channels: usable.map(match => Number(match[2])),
    widths: [20, ...wide.flatMap(([width, has]) => (has ? [width] : []))],
    ...(powers.length > 0 && { maxPowerDbm: Math.floor(Math.max(...powers)) }),
    ...(he && { ax: true }),
  }
  return { band, can }
}

/** `iw phy`: what each card can do on each band, and the most access points at once by the interface combinations. */
export function parseIwPhy(text: string | undefined): Map<string, PhyInfo> {
  const found = new Map<string, PhyInfo>()
  for (const block of (text ?? '').split(/^Wiphy /m).slice(1)) {
    const name = clean(block.split('\n')[0], 32) ?? ''
    const bands = block
      .split(/^\s*Band \d+:/m)
      .slice(1, 9)
      .flatMap(part => bandIn(part) ?? [])
    const limits = [...block.matchAll(/#\{[^}]*\bAP\b[^}]*\} <= (\d+)/g)].map(match => Number(match[1]))
    found.set(
      name,
      present({
        // A radio that can do several bands has none until it is on a channel.
        band: bands.length === 1 ? bands[0]?.band : undefined,
        maxBss: limits.length > 0 ? Math.max(...limits) : undefined,
        can: bands.length > 0 ? Object.fromEntries(bands.map(({ band, can }) => [band, can])) : undefined,
      }),
    )
  }
  return found
}

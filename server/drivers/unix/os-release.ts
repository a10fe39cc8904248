import { clean, pairs } from './text'

/** The shell assignments of /etc/os-release (os-release(5)) and /etc/openwrt_release. */
export function parseOsRelease(text: string | undefined): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(pairs(text)).slice(0, 64)) {
    const bare = value.replace(/^(["'])([\s\S]*)\1$/, '$2').replace(/\\(["$`\\])/g, '$1')
    if (/^[A-Z][A-Z0-9_]{0,40}$/.test(key)) values[key] = clean(bare) ?? ''
  }
  return values
}

import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isAbsolute } from 'node:path'
import { addressOrSegmentProblem } from '@/model/addresses'

export type Config = {
  /** Root of the installed program: migrations, locales. */
  root: string
  data: string
  httpsPort: number
  httpPort: number
  /** Of the guests' portal, plain http; 0: there is none. */
  portalPort: number
  bind: string
  /** `console`: plain http shows the console to everybody; else it leads to https, but from this machine itself. */
  http: 'redirect' | 'console'
  /** 'off', a preset code, or '' for one made at first start. */
  setupCode: string
  /** Segments to sweep, CIDR, comma separated; '' = directly connected private ones. */
  discovery: string
  names: string[]
  /** Proxies whose word about a client's address, scheme and host is taken: addresses or segments. */
  trustedProxies: string[]
  /** The folder that FreeRADIUS and the manager share; '' where nothing starts FreeRADIUS. */
  radius: string
}

/** Reads KEY=VALUE lines; `#` begins a comment line, quotes around a value are dropped. */
export function parseConf(text: string): Record<string, string> {
  const lines = text.split('\n').map(line => line.trim())
  const pairs = lines.filter(line => line && !line.startsWith('#') && line.includes('='))
  return Object.fromEntries(
    pairs.map(line => {
      const at = line.indexOf('=')
      return [
        line.slice(0, at).trim(),
        line
          .slice(at + 1)
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2'),
      ]
    }),
  )
}

/** LANWARD_* variables over the configuration file over defaults. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const root = env.LANWARD_ROOT ?? process.cwd()
  const file = env.LANWARD_CONF ?? `${root}/appliance/lanward.conf`
  const conf = existsSync(/* turbopackIgnore: true */ file)
    ? parseConf(readFileSync(/* turbopackIgnore: true */ file, 'utf8'))
    : {}
  const get = (name: string, otherwise: string) => env[name] ?? conf[name] ?? otherwise
  const list = (name: string) =>
    get(name, '')
      .split(',')
      .map(one => one.trim().toLowerCase())
      .filter(Boolean)
  const data = get('LANWARD_DATA', `${root}/data`)
  return {
    root,
    data: isAbsolute(data) ? data : `${root}/${data}`,
    httpsPort: Number(get('LANWARD_HTTPS_PORT', '8443')),
    httpPort: Number(get('LANWARD_HTTP_PORT', '8080')),
    portalPort: Number(get('LANWARD_PORTAL_PORT', '8880')),
    bind: get('LANWARD_BIND', '::'),
    http: get('LANWARD_HTTP', '') === 'console' ? 'console' : 'redirect',
    setupCode: get('LANWARD_SETUP_CODE', ''),
    discovery: get('LANWARD_DISCOVERY', ''),
    names: list('LANWARD_NAMES'),
    trustedProxies: list('LANWARD_TRUSTED_PROXIES'),
    radius: get('LANWARD_RADIUS', ''),
  }
}

/** Names that the manager is reached by: those it was given, and the machine's own. In lower case. */
export function machineNames({ names }: Pick<Config, 'names'>): string[] {
  const own = hostname().toLowerCase()
  const short = own.split('.')[0] ?? own
  return [...new Set([...names, own, short, `${short}.local`])]
}

/** What is wrong with the trusted proxies, and how to mend it; undefined where nothing is. */
export function wrongProxy({ trustedProxies }: Pick<Config, 'trustedProxies'>): string | undefined {
  const wrong = trustedProxies.find(one => addressOrSegmentProblem(one) !== undefined)
  if (wrong === undefined) return undefined
  const problem =
    addressOrSegmentProblem(wrong) === 'hostBits' ? 'has host bits behind its prefix' : 'is no address or network'
  return `LANWARD_TRUSTED_PROXIES: ${wrong} ${problem}. Set addresses or networks separated by commas, for example 127.0.0.1,::1,10.20.0.0/24.`
}

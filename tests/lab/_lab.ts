/**
 * What tests need of the device lab (appliance/lab). They run inside the manager's network, so that a driver's sockets
 * reach the devices and nothing else: `npm test -- lab`, or one file in a lab of its own by
 * `appliance/lab/lab.sh test tests/lab/NAME.test.ts`. While writing tests keep one up:
 * `export LANWARD_LAB_PREFIX=me; lab.sh up; lab.sh test FILE; … ; lab.sh down`. Files share the lab, one after the
 * other: whoever changes a device puts it back (`lab.reset`).
 */
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { freePort, removeFolder, root, startManager } from '../appliance/_manager'

const script = `${root}/appliance/lab/lab.sh`

export type Device = 'gw' | 'sw1' | 'ap1' | 'c1' | 'c2' | 'inet' | 'sw2' | 'c3'
export type Ran = { code: number; stdout: string; stderr: string }

/** As `lab.sh status --json` writes it. `addresses.manager`: where this machine reaches the manager. */
export type LabStatus = {
  up: boolean
  prefix: string
  state: string
  namespace: string
  addresses: Record<'gw' | 'sw1' | 'ap1' | 'sw2' | 'mgr' | 'manager', string>
  credentials: {
    ssh: { user: string; password: string; keyFile: string }
    snmp: { read: string; write: string }
    snmpV3: { user: string; auth: string; authPassword: string; priv: string; privPassword: string }
  }
}

/** Runs a program; a code other than 0 is an answer, not an error. 124: it was ended after `timeoutMs`. */
export function run(file: string, args: string[], { input = '', timeoutMs = 60_000 } = {}): Promise<Ran> {
  return new Promise(done => {
    const child = execFile(file, args, { timeout: timeoutMs, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      const code = error ? (error.killed ? 124 : typeof error.code === 'number' ? error.code : 1) : 0
      done({ code, stdout, stderr })
    })
    // A program may end before it has read its input.
    child.stdin?.on('error', () => undefined).end(input)
  })
}

async function must(...args: string[]): Promise<string> {
  const ran = await run(script, args, { timeoutMs: 450_000 })
  if (ran.code !== 0) throw new Error(`lab.sh ${args.join(' ')} ended with ${ran.code}: ${ran.stderr.trim()}`)
  return ran.stdout
}

let known: LabStatus | undefined

export const lab = {
  /** To be called first in every file: the lab's addresses and credentials; says so when this is not its network. */
  async up(): Promise<LabStatus> {
    if (!known) {
      const status = JSON.parse(await must('status', '--json')) as LabStatus
      const here = Object.values(networkInterfaces()).flatMap(list => list?.map(one => one.address) ?? [])
      if (!status.up || !here.includes(status.addresses.mgr))
        throw new Error('These tests run inside the lab: npm test -- lab, or appliance/lab/lab.sh test FILE (as root).')
      known = status
    }
    return known
  },
  /** Inside a device, as root; the words of the command are not parsed by a shell. */
  in: (device: Device, command: string[], options: { input?: string; timeoutMs?: number } = {}) =>
    run(script, ['in', device, ...command], options),
  /** A shell line inside a device. */
  sh: (device: Device, line: string) => run(script, ['in', device, 'sh', '-c', line]),
  /** A program of the lab's root (ssh, sshpass, snmpget, tcpdump …) in the manager's network; its state folder is /mnt. */
  tool: (...command: string[]) => run(script, ['tool', ...command]),
  /** Pulls a device's cable: both ends lose the link. sw1: the manager's own cable. */
  cut: (device: Device) => must('cut', device),
  join: (device: Device) => must('join', device),
  /** A real reboot; returns when the device answers again. */
  reboot: (device: Device) => must('reboot', device),
  /** Factory state, with new host keys; returns when the device answers. */
  reset: (device: Device) => must('reset', device),
  off: (device: Device) => must('off', device),
  on: (device: Device) => must('on', device),
}

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/**
 * Tries until the answer is truthy, and gives it; after `timeoutMs` fails with what was seen last. Soon at first, for what
 * comes at once; every `everyMs` in the end.
 */
export async function until<T>(
  attempt: () => Promise<T> | T,
  { timeoutMs = 200_000, everyMs = 200 } = {},
): Promise<Truthy<T>> {
  const end = Date.now() + timeoutMs
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, everyMs)) {
    let seen: unknown
    try {
      const value = await attempt()
      if (value) return value as Truthy<T>
      seen = value
    } catch (error) {
      seen = error
    }
    if (Date.now() > end)
      throw new Error(
        `not within ${timeoutMs} ms; last: ${seen instanceof Error ? seen.message : JSON.stringify(seen)}`,
      )
    await new Promise(wake => setTimeout(wake, Math.min(waitMs, everyMs)))
  }
}

/** A client's address in the LAN, once it has one. */
export const addressOf = (client: 'c1' | 'c2'): Promise<string> =>
  until(async () => {
    const { stdout } = await lab.in(client, ['ip', '-4', '-o', 'addr', 'show', 'dev', 'eth0'])
    return /inet ([\d.]+)/.exec(stdout)?.[1]
  })

/** What hostapd says of the access point's radio. */
export const air = async () =>
  (await lab.in('ap1', ['hostapd_cli', '-p', '/run/hostapd', '-i', 'wlan0', 'status'])).stdout

export type LabManager = {
  /** https, at the address where a browser outside of the lab reaches it too: not loopback. */
  url: string
  /** Plain http on loopback: for scripts, and for what loopback alone may. */
  local: string
  dataDir: string
  /** Of the process that runs now. */
  pid(): number
  output(): string
  stop(): Promise<void>
  kill9(): Promise<void>
  /** Stops it when it still runs, and starts it on the same data and ports. */
  restart(): Promise<void>
  /** Stops it and removes its data. */
  end(): Promise<void>
}

/** The built manager in the lab's network, on data of its own. An exit that asks for a restart (75) is one, as under npm start. */
export async function manager({ env = {} }: { env?: Record<string, string> } = {}): Promise<LabManager> {
  const { addresses } = await lab.up()
  const dataDir = mkdtempSync(`${tmpdir()}/lanward-lab-data-`)
  const [http, https, portal] = [await freePort(), await freePort(), await freePort()]
  const ports = {
    LANWARD_HTTP_PORT: String(http),
    LANWARD_HTTPS_PORT: String(https),
    LANWARD_PORTAL_PORT: String(portal),
  }
  const start = async () => {
    const started = await startManager({ data: dataDir, env: { ...ports, ...env } })
    void started.ended.then(async code => {
      if (code === 75) current = start()
    })
    return started
  }
  let current = start()
  let now = await current
  const latest = async () => {
    now = await current
    return now
  }
  const stop = async () => {
    await (await latest()).stop()
  }
  return {
    url: `https://${addresses.manager}:${https}`,
    local: `http://127.0.0.1:${http}`,
    dataDir,
    pid: () => now.pid,
    output: () => now.output(),
    stop,
    kill9: async () => (await latest()).kill9(),
    async restart() {
      await stop()
      current = start()
      await latest()
    },
    async end() {
      await stop()
      removeFolder(dataDir)
    },
  }
}

import {
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { goBack, lockFolder } from '@/db/generation'
import words from '@/locales/en/codes.json'
import { readConfig } from '@/server/kernel/config'
import { isRefusal } from '@/server/kernel/fail'
import { startRuntime, stopRuntime } from '@/server/kernel/runtime'
import { runCommand } from '@/server/manager/command/commands'
import { socketFile } from '@/server/manager/command/socket'

/** Exit codes, as `lanward help` states them. */
const exit = { done: 0, refused: 1, usage: 2, unavailable: 3, notRestorable: 4, logBroken: 5 } as const

const help = `lanward COMMAND [OPTIONS]

  backup                 make a backup and verify it       --output FILE  --no-history  --passphrase-file FILE
  verify  FILE|NAME      verify that a backup can be restored             --passphrase-file FILE
  verify-log             find changelog entries that were edited, removed or moved
                         --head NUMBER:HMAC: an entry known to have been written, as a backup or the log server has it
                         --file FILE|NAME: the changelog inside a backup  --passphrase-file FILE
  restore FILE|NAME      restore a backup; the current state is kept           --passphrase-file FILE
  unlock ACCOUNT         unlock an account after wrong passwords
  reset-password ACCOUNT set a new password and print it, turn two-factor sign-in off   --password-file FILE to choose it
  setup-code             print the code for the first sign-in
  go-back                undo the last restore or upgrade: use the data from before it (stop the manager first)
                         --upgrade-after MS: only if an upgrade changed the data since then (unix ms)
  status                 version, data, last verified backup
  support                figures for a bug report, without names, addresses or secrets  --output FILE

  --running use only a running manager
  --json    print JSON
  --data D  the data folder (default: LANWARD_DATA, the configuration file, ./data)

Commands use the socket of a running manager; without one they open the data folder themselves.
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the data folder cannot be used, 4 the backup cannot be restored,
5 the changelog was tampered with.
`

type Reply = { retCode: number; data: Record<string, unknown> }
type Work = { command: string; input: Record<string, unknown>; file?: { open(): Readable } }

/** Ends the process with a message. */
class Stop extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        running: { type: 'boolean' },
        help: { type: 'boolean' },
        output: { type: 'string' },
        'no-history': { type: 'boolean' },
        'passphrase-file': { type: 'string' },
        'password-file': { type: 'string' },
        data: { type: 'string' },
        'upgrade-after': { type: 'string' },
        head: { type: 'string' },
        file: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Stop(exit.usage, `${(error as Error).message}\n\n${help}`)
  }
}
type Options = ReturnType<typeof parse>['values']

function secretFrom(file: string | undefined): string | undefined {
  if (!file) return undefined
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Stop(exit.usage, `${file}: ${(error as Error).message}`)
  }
}

/** A name of the backup folder, or a file of this machine: opened now, before this process gives up root. */
function archiveOf(argument: string | undefined): { name?: string; file?: Work['file'] } {
  if (!argument) throw new Stop(exit.usage, 'Specify a backup or a file.')
  const path = resolve(argument)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    if (argument.includes('/')) throw new Stop(exit.usage, `${argument} does not exist.`)
    return { name: argument }
  }
  const fd = openSync(path, 'r')
  return {
    file: {
      open: () => createReadStream('', { fd, autoClose: false, start: 0, end: Math.max(0, fstatSync(fd).size - 1) }),
    },
  }
}

function workOf(command: string | undefined, argument: string | undefined, options: Options): Work {
  const passphrase = secretFrom(options['passphrase-file'])
  const withPassphrase = passphrase === undefined ? {} : { passphrase }
  const account = () => {
    if (!argument) throw new Stop(exit.usage, 'Specify the account.')
    return { account: argument }
  }
  const archive = () => {
    const { name, file } = archiveOf(argument)
    return { input: { ...(name && { name }), ...withPassphrase }, file }
  }
  const changelog = () => {
    const { name, file } = options.file ? archiveOf(options.file) : {}
    const head = options.head && { head: options.head }
    return { input: { archive: !!options.file, ...(name && { name }), ...head, ...withPassphrase }, file }
  }
  const password = secretFrom(options['password-file'])
  const inputs: Record<string, () => Omit<Work, 'command'>> = {
    backup: () => ({ input: { history: !options['no-history'], ...withPassphrase } }),
    verify: archive,
    restore: archive,
    'verify-log': changelog,
    unlock: () => ({ input: account() }),
    'reset-password': () => ({ input: { ...account(), ...(password !== undefined && { password }) } }),
    'setup-code': () => ({ input: {} }),
    status: () => ({ input: {} }),
    'go-back': () => ({ input: {} }),
    support: () => ({ input: {} }),
  }
  const made = inputs[command ?? '']
  if (!made || !command) throw new Stop(exit.usage, help)
  return { command, ...made() }
}

/** Asks the running manager; undefined when none listens. */
function askManager(data: string, { command, input, file }: Work): Promise<Reply | undefined> {
  return new Promise((done, failed) => {
    const headers = { 'x-input': Buffer.from(JSON.stringify(input)).toString('base64') }
    const asked = request({ socketPath: socketFile(data), path: `/${command}`, method: 'POST', headers }, reply => {
      const parts: Buffer[] = []
      reply.on('data', part => parts.push(part))
      reply.on('end', () => done(JSON.parse(Buffer.concat(parts).toString('utf8')) as Reply))
    })
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') done(undefined)
      else if (error.code === 'EACCES')
        failed(new Stop(exit.unavailable, "Only root and the manager's own user may do this."))
      else failed(error)
    })
    if (!file) return asked.end()
    // Read only for a manager that listens: a stream that breaks closes the file, which would be read here after all.
    asked.once('socket', socket =>
      // A refusal may come before the whole file is sent.
      socket.once('connect', () => pipeline(file.open(), asked).catch(() => undefined)),
    )
  })
}

/** What root makes in the data folder must stay usable for the manager's own user. */
function becomeOwner(data: string): void {
  const owner = statSync(data, { throwIfNoEntry: false })
  if (!owner || owner.uid === 0 || process.getuid?.() !== 0) return
  process.setgroups?.([owner.gid])
  process.setgid?.(owner.gid)
  process.setuid?.(owner.uid)
}

async function runHere(work: Work): Promise<Reply> {
  const config = readConfig()
  becomeOwner(config.data)
  try {
    const runtime = await startRuntime([], config)
    const { data } = await runCommand(runtime, work.command, work.input, work.file?.open())
    return { retCode: 0, data: work.command === 'status' ? { ...data, pid: null, ready: false } : data }
  } catch (error) {
    if (isRefusal(error)) return { retCode: error.retCode, data: error.data }
    throw new Stop(exit.unavailable, error instanceof Error ? error.message : String(error))
  } finally {
    await stopRuntime()
  }
}

/** Without opening the data: they may be of a version that this one cannot read. */
function goBackHere(upgradeAfter: string | undefined): Reply {
  const { data } = readConfig()
  becomeOwner(data)
  const lock = lockFolder(data)
  try {
    const generation = goBack(data, upgradeAfter === undefined ? undefined : Number(upgradeAfter))
    if (!generation) throw new Stop(exit.refused, 'There is no earlier data to go back to.')
    return { retCode: 0, data: { generation } }
  } finally {
    lock.release()
  }
}

const sentence = (retCode: number, data: Record<string, unknown>) => {
  const why = data.reason ?? data.entry ?? data.version ?? JSON.stringify(data.fields ?? {})
  const text = (words as Record<string, string>)[String(retCode)] ?? `Refused with code ${retCode}.`
  return why && why !== '{}' ? `${text} (${String(why)})` : text
}

function show(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, one]) =>
      typeof one === 'object' && one !== null
        ? `${indent}${key}:\n${show(one, `${indent}  `)}`
        : `${indent}${key}: ${String(one)}`,
    )
    .join('\n')
}

async function saveOutput(command: string, reply: Reply, output: string): Promise<void> {
  if (command === 'support') return writeFileSync(output, `${JSON.stringify(reply.data, null, 2)}\n`, { mode: 0o600 })
  if (command !== 'backup') throw new Stop(exit.usage, '--output works only with backup and support.')
  await pipeline(createReadStream(String(reply.data.path)), createWriteStream(output, { mode: 0o600 }))
  reply.data.output = resolve(output)
}

async function replyTo(work: Work, options: Options): Promise<Reply> {
  if (work.command === 'go-back') return goBackHere(options['upgrade-after'])
  const answered = await askManager(readConfig().data, work)
  if (!answered && options.running) throw new Stop(exit.unavailable, 'The manager is not running.')
  return answered ?? runHere(work)
}

async function main(): Promise<number> {
  const { values, positionals } = parse(process.argv.slice(2))
  const [command, argument] = positionals
  if (values.help || command === 'help' || !command) {
    process.stdout.write(help)
    return command || values.help ? exit.done : exit.usage
  }
  const work = workOf(command, argument, values)
  if (values.data) process.env.LANWARD_DATA = resolve(values.data)
  const reply = await replyTo(work, values)
  if (reply.retCode === 0 && values.output) await saveOutput(command, reply, values.output)
  if (values.json) console.log(JSON.stringify(reply))
  else if (reply.retCode === 0) console.log(show(reply.data))
  else console.error(sentence(reply.retCode, reply.data))
  if (reply.retCode === 0) return (reply.data.problems as unknown[] | undefined)?.length ? exit.logBroken : exit.done
  const archive =
    reply.retCode >= 22_000 && reply.retCode < 23_000 && ['verify', 'restore', 'verify-log'].includes(command)
  return archive ? exit.notRestorable : exit.refused
}

main().then(
  code => {
    process.exitCode = code
  },
  error => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = error instanceof Stop ? error.code : exit.unavailable
  },
)

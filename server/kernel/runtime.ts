import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Db, openDatabase, type Sqlite } from '@/db/client'
import { keyFileOf, lockFolder, prepareGeneration } from '@/db/generation'
import { type Bus, createBus } from './bus'
import { type Config, readConfig } from './config'
import { createJobs, type Jobs } from './jobs'
import { loadKey, type Secrets, secretsOf } from './secrets'

/**
 * The process's resources. Next builds every module several times (instrumentation, pages, routes), so the one place
 * they may hang on is globalThis, and this file is its only user. Resources live here, logic never.
 */
export type Runtime = {
  config: Config
  db: Db
  sqlite: Sqlite
  /** Folder of the open generation. */
  generation: string
  secrets: Secrets
  bus: Bus
  jobs: Jobs<Runtime>
  startedAt: number
  /** Code that opens the wizard from elsewhere than loopback; '' when turned off. */
  setupCode: string
  /** What areas keep here, by name: for part.ts alone. */
  parts: Map<string, unknown>
  /** Aborts when a clean stop begins, before the first closer. */
  stopping: AbortController
  /** Run in reverse order at a clean stop. */
  closers: (() => Promise<void> | void)[]
}

type Holder = { promise?: Promise<Runtime>; runtime?: Runtime }
const holder = (): Holder => {
  const scope = globalThis as { __lanward?: Holder }
  scope.__lanward ??= {}
  return scope.__lanward
}

/** The started runtime. Throws before the start has finished: calls answer `notReady` then. */
export function runtime(): Runtime {
  const started = holder().runtime
  if (!started) throw new Error('the manager is starting')
  return started
}
export const runtimeIfReady = (): Runtime | undefined => holder().runtime

function setupCodeOf(config: Config): string {
  if (config.setupCode === 'off') return ''
  if (config.setupCode) return config.setupCode
  const file = `${config.data}/setup-code`
  if (!existsSync(/* turbopackIgnore: true */ file)) {
    const code = Array.from({ length: 8 }, () => 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'[randomInt(31)]).join('')
    writeFileSync(/* turbopackIgnore: true */ file, `${code.slice(0, 4)}-${code.slice(4)}\n`, { mode: 0o600 })
  }
  return readFileSync(/* turbopackIgnore: true */ file, 'utf8').trim()
}

/** A command line that works on the folder is gone after this. */
const lockWaitMs = 5000

function open(config: Config): Runtime {
  const lock = lockFolder(config.data, lockWaitMs)
  const generation = prepareGeneration(config.data, `${config.root}/db/migrations`)
  const { db, sqlite } = openDatabase(`${generation}/lanward.sqlite`, `${config.root}/db/migrations`)
  const made: Runtime = {
    config,
    db,
    sqlite,
    generation,
    secrets: secretsOf(loadKey(keyFileOf(config.data, generation))),
    bus: createBus(),
    jobs: createJobs(() => made),
    startedAt: Date.now(),
    setupCode: setupCodeOf(config),
    parts: new Map(),
    stopping: new AbortController(),
    closers: [],
  }
  made.closers.push(() => {
    sqlite.close()
    lock.release()
  })
  return made
}

/** Starts once; `starters` add the areas' parts in order. A second call returns the first one's promise. */
export function startRuntime(
  starters: readonly ((runtime: Runtime) => Promise<void> | void)[],
  config = readConfig(),
): Promise<Runtime> {
  const held = holder()
  held.promise ??= (async () => {
    const made = open(config)
    for (const starter of starters) await starter(made)
    held.runtime = made
    return made
  })()
  return held.promise
}

/** Stops everything in reverse order, each part bounded to three seconds; the database is closed last. */
export async function stopRuntime(): Promise<void> {
  const held = holder()
  const started = held.runtime
  held.runtime = undefined
  held.promise = undefined
  if (!started) return
  started.stopping.abort(new Error('the manager ends'))
  started.jobs.stopAll()
  for (const close of started.closers.reverse()) {
    const limit = new Promise(done => setTimeout(done, 3000).unref())
    await Promise.race([Promise.resolve().then(close), limit]).catch(error => console.error('stop:', error))
  }
}

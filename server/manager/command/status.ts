import { existsSync, statSync } from 'node:fs'
import { arch, cpus, freemem, hostname, platform, release, totalmem } from 'node:os'
import { basename } from 'node:path'
import * as z from 'zod'
import { generations } from '@/db/generation'
import { databaseSchema, integrityProblems, rowCounts } from '@/db/schema-version'
import { readGeneral } from '@/server/kernel/general'
import { part } from '@/server/kernel/part'
import { recentLines, withoutSecrets } from '@/server/kernel/recent-lines'
import type { Runtime } from '@/server/kernel/runtime'
import { setup } from '@/server/kernel/setup'
import { placeOf } from '@/server/manager/backups/service'
import { backupState } from '@/server/manager/backups/state'
import { freeBytes } from '@/server/manager/backups/unpack'
import { command } from './command'

/** The whole stack has answered a request. */
export const ready = part<true>('ready')

function statusOf(runtime: Runtime): Record<string, unknown> {
  const { config, sqlite, db } = runtime
  const rows = rowCounts(sqlite)
  const { lastProven, lastFailure } = backupState.read(db)
  const file = `${runtime.generation}/lanward.sqlite`
  return {
    version: placeOf(runtime).version,
    pid: process.pid,
    ready: ready.find(runtime) === true,
    upSeconds: Math.round((Date.now() - runtime.startedAt) / 1000),
    data: config.data,
    generation: basename(runtime.generation),
    schema: databaseSchema(sqlite),
    httpsPort: config.httpsPort,
    httpPort: config.httpPort,
    setupFinished: setup.read(db).finished,
    networks: rows.networks,
    devices: rows.devices,
    databaseBytes: existsSync(file) ? statSync(file).size : 0,
    freeBytes: freeBytes(config.data),
    lastProvenBackup: lastProven ?? null,
    lastFailedBackup: lastFailure ?? null,
  }
}

export const status = command({ input: z.strictObject({}), run: runtime => ({ data: statusOf(runtime) }) })

/** Everything in the data that people named, longest first. */
function namesIn({ db, sqlite, config, setupCode: code }: Runtime): string[] {
  const columns = [
    'organizations.name',
    'accounts.account',
    'accounts.username',
    'networks.name',
    'device_groups.name',
    'credentials.name',
    'credentials.user',
    'devices.name',
    'devices.serial',
    'documents.name',
  ].map(column => column.split('.') as [string, string])
  const found = columns.flatMap(([table, column]) =>
    sqlite.prepare(`SELECT DISTINCT "${column}" FROM "${table}"`).pluck().all(),
  )
  const names = [...found, readGeneral(db).name, code, hostname(), ...config.names]
  return [...new Set(names.filter((name): name is string => typeof name === 'string'))].sort(
    (a, b) => b.length - a.length,
  )
}

/** What the manager said last; undefined when it does not run and the command line opened the data itself. */
function logOf(runtime: Runtime): string[] | undefined {
  const lines = recentLines.find(runtime)
  const names = lines && namesIn(runtime)
  return names && lines.all().map(line => withoutSecrets(line, names))
}

/** Figures and states, and the last lines of the log: no name, address or secret of the network, its people or its devices. */
export const support = command({
  input: z.strictObject({}),
  run(runtime) {
    const memory = process.memoryUsage()
    const problems = integrityProblems(runtime.sqlite)
    const jobs = Object.fromEntries(['backup'].map(id => [id, runtime.jobs.state(id) ?? null]))
    const { setupCode: code, names, discovery, bind: _bind, ...config } = runtime.config
    return {
      data: {
        createdAt: new Date().toISOString(),
        status: statusOf(runtime),
        config: {
          ...config,
          setupCode: code === '' ? 'made at first start' : code === 'off' ? 'off' : 'preset',
          names: names.length,
          discovery: discovery === '' ? 'default' : 'set',
        },
        system: {
          node: process.version,
          platform: platform(),
          release: release(),
          arch: arch(),
          cpus: cpus().length,
          totalmem: totalmem(),
          freemem: freemem(),
        },
        memory,
        generations: generations(runtime.config.data),
        integrity: problems.length === 0 ? 'ok' : problems,
        rows: rowCounts(runtime.sqlite),
        deviceStates: runtime.sqlite.prepare('SELECT driver, count(*) AS devices FROM devices GROUP BY driver').all(),
        deployments: runtime.sqlite
          .prepare('SELECT state, reason, count(*) AS number FROM deployments GROUP BY state, reason')
          .all(),
        jobs,
        log: logOf(runtime),
      },
    }
  },
})

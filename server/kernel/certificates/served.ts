import { readFileSync } from 'node:fs'

// What the manager serves TLS with, in the data folder: what somebody put there comes before its own.

export type TlsPair = { cert: string; key: string }
const sources = ['uploaded', 'own'] as const
type Source = (typeof sources)[number]

export const tlsFolder = (data: string): string => `${data}/tls`
export const certificateFile = (data: string, source: Source): string => `${tlsFolder(data)}/${source}.crt`
export const keyFile = (data: string, source: Source): string => `${tlsFolder(data)}/${source}.key`

function read(file: string): string | undefined {
  try {
    return readFileSync(/* turbopackIgnore: true */ file, 'utf8')
  } catch {
    // It is not there, or was taken away meanwhile.
    return undefined
  }
}

/** What the manager serves now, PEM: the certificate with its chain and its key; undefined before there is one. */
export function servedPair(data: string): (TlsPair & { source: Source }) | undefined {
  for (const source of sources) {
    const [cert, key] = [read(certificateFile(data, source)), read(keyFile(data, source))]
    if (cert !== undefined && key !== undefined) return { source, cert, key }
  }
  return undefined
}

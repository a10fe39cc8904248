import { readFileSync } from 'node:fs'

const files = ['/proc/net/udp', '/proc/net/udp6']

/** Datagrams that the system threw away since the sockets of a port were opened, by its own count. */
export function dropsIn(table: string, port: number): number {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return table
    .split('\n')
    .slice(1)
    .map(line => line.trim().split(/\s+/))
    .filter(cells => cells[1]?.endsWith(wanted))
    .reduce((sum, cells) => sum + (Number(cells.at(-1)) || 0), 0)
}

/** The same from the system; undefined where it does not tell. */
export function socketDrops(port: number): number | undefined {
  try {
    return files.reduce((sum, file) => sum + dropsIn(readFileSync(file, 'utf8'), port), 0)
  } catch {
    return undefined
  }
}

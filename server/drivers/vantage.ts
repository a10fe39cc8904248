import type { Figures, RecordType } from '@/model/troubleshooting/request'

export type ProgramOptions = {
  signal: AbortSignal
  /** The longest that it may take. */
  seconds: number
  /** The most that it may print; 256 kB unless told. */
  bytes?: number
  /** Each line of what it prints, as it comes. */
  line?: (text: string) => void
}
/** `code`: 127 where there is no such program; null where it was ended. `text`: both outputs, as they came. */
export type Printed = { code: number | null; text: string }

/** A place from which the network is looked at: a device, or the machine that the manager runs on. */
export type Vantage = {
  /**
   * Runs a program with these words, none of which a shell reads. It ends there too when `signal` says so. Rejects with
   * a DeviceError: `cancelled`, `timeout`, `closed`.
   */
  run(words: readonly string[], options: ProgramOptions): Promise<Printed>
  /** Opens a TCP connection from there, and closes it again. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Extract<Figures, { tool: 'port' }>>
  /** Asks for a name without a program. Absent: by programs. */
  resolve?(
    wanted: { name: string; type: RecordType; server?: string | undefined },
    signal: AbortSignal,
  ): Promise<Extract<Figures, { tool: 'dns' }>>
}

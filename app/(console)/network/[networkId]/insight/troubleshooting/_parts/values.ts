import type { RecordType, ToolName } from '@/model/troubleshooting/request'

/** What the form of a test holds. */
export type Values = {
  tool: ToolName
  from: string
  /** A MAC address. */
  client: string
  /** The name that its gateway looks up. */
  lookUp: string
  host: string
  count: number | undefined
  size: number | undefined
  rounds: number | undefined
  type: RecordType
  server: string
  port: number | undefined
  /** Another device's number. */
  peer: string
  seconds: number | undefined
  interface: string
  filter: string
  /** Of the file of a capture. */
  file: string
  reverse: 'to' | 'from'
}

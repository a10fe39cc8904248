import * as z from 'zod'
import { f } from '../fields'
import { field, rule, section, single } from '../kind'

const fields = z.strictObject({
  /** Names that clients of the gateways' LANs ask for. */
  urlLog: f.boolean().default(false),
  /** Connections of clients to the internet, with the address and port that each was translated to. */
  natLog: f.boolean().default(false),
  /** What is recorded is personal data: nothing is turned on before somebody says that the law allows it here. */
  lawAccepted: f.boolean().default(false),
  /** Days that the manager keeps what it received. */
  keepDays: f.choice(['1', '7', '30']).default('7'),
  /** Rule G2: where the manager sends each record, too; what is there is kept as that server likes, beyond 30 days, too. */
  logServer: f.url().optional(),
})
export type TrafficLogsFields = z.output<typeof fields>

const recording = ({ urlLog, natLog }: Pick<TrafficLogsFields, 'urlLog' | 'natLog'>) => urlLog || natLog
const whenRecording = (key: keyof TrafficLogsFields) => field<TrafficLogsFields>(key, { when: recording })

/** Who of a gateway's clients asked for which name, and who was behind a translated connection. Off by default. */
export const trafficLogs = single({
  id: 'trafficLogs',
  area: 'system',
  fields,
  sections: [
    section('record', ['urlLog', 'natLog', whenRecording('lawAccepted')]),
    section('keeping', [whenRecording('keepDays'), whenRecording('logServer')]),
  ],
  rules: [rule('lawNotAccepted', 'lawAccepted', (value: TrafficLogsFields) => !recording(value) || value.lawAccepted)],
})

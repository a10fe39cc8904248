import { DeviceError } from '../../driver'
import type { Session } from '../observe/session'
import { blockId, readSwitch } from './port-state'
import { writeOne } from './push'

const variable = 'pethPsePortAdminEnable'
const isOn = (text: string | undefined) => text === 'on'

/** pethPsePortAdminEnable (RFC 3621) of one port: read, written where it differs, and read again. */
export async function power(session: Session, port: string, on: boolean): Promise<void> {
  const read = async () => {
    const state = await readSwitch(session)
    return { state, text: state.ports.find(one => one.name === port)?.values[variable] }
  }
  const { state, text } = await read()
  if (text === undefined) throw new DeviceError('unsupported', `${port} has no PoE that can be set`)
  if (!on && !isOn(text)) throw new DeviceError('commandFailed', `PoE of ${port} is off already`)
  if (isOn(text) === on) return
  await writeOne(session, state, { id: blockId(port, variable), text: on ? 'on' : 'off' })
  if (isOn((await read()).text) !== on) throw new DeviceError('commandFailed', `PoE of ${port} stayed as it was`)
}

import type { PanelPort, PortLook } from '@/app/(console)/network/[networkId]/devices/detail/_parts/front-panel'
import type { Port } from '@/server/drivers/hardware'
import type { LldpNeighbour } from '@/server/drivers/observation'
import type { DeviceInfo, Face } from './device-info'

/** A port on the front with everything else that is known of it. */
export type FrontPort = PanelPort & {
  port: Port
  face?: Face
  neighbour?: LldpNeighbour
}

const giga = 1e9

function lookOf(face: Face | undefined): PortLook {
  if (!face || face.up === undefined) return face?.adminUp === false ? 'off' : 'unknown'
  if (face.adminUp === false) return 'off'
  if (!face.up) return 'none'
  return face.speed !== undefined && face.speed < giga ? 'slow' : 'full'
}

const poeFaults: readonly (string | undefined)[] = ['overload', 'throttled', 'throttled24v', 'errdisable']
const poeOf = ({ poe }: Port): PanelPort['poe'] =>
  poe?.state === 'delivering' ? 'on' : poeFaults.includes(poe?.state) ? 'fault' : undefined

/** The ports of a reading in panel order; none when the device does not say which of its interfaces are ports. */
export function frontPorts(
  reading: DeviceInfo['reading'],
  word: (look: PortLook, speed?: number) => string,
): FrontPort[] {
  const faces = new Map(reading.interfaces?.map(face => [face.key, face]))
  return [...(reading.ports ?? [])]
    .sort((a, b) => a.number - b.number)
    .map(port => {
      const face = faces.get(port.interface)
      const neighbour = reading.neighbours?.find(one => one.localPort === port.interface)
      const look = lookOf(face)
      return {
        key: port.interface,
        number: port.number,
        label: port.label,
        look,
        word: word(look, face?.speed),
        poe: poeOf(port),
        fibre: port.media === 'fibre',
        uplink: neighbour?.capabilities?.some(one => /router/i.test(one)) ?? false,
        port,
        face,
        neighbour,
      }
    })
}

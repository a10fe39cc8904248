import type { ForwardValues } from './forward'

/**
 * What people want to reach, by the ports it has when nobody changed them. `danger`: known to be broken into when it is
 * open to the internet; its words say how, and name a safer way.
 */
type ForwardPreset = { id: string; fields: Pick<ForwardValues, 'protocol' | 'ports'>; danger?: true }

const tcp = (ports: string) => ({ protocol: 'tcp', ports }) as const
const udp = (ports: string) => ({ protocol: 'udp', ports }) as const
const both = (ports: string) => ({ protocol: 'tcpUdp', ports }) as const

/** What is asked for most comes first. */
export const forwardPresets = [
  { id: 'web', fields: tcp('80,443') },
  { id: 'remoteDesktop', fields: both('3389'), danger: true },
  { id: 'ssh', fields: tcp('22'), danger: true },
  { id: 'wireguard', fields: udp('51820') },
  { id: 'openvpn', fields: udp('1194') },
  { id: 'ipsec', fields: udp('500,4500') },
  { id: 'camera', fields: tcp('554'), danger: true },
  { id: 'homeAssistant', fields: tcp('8123'), danger: true },
  { id: 'plex', fields: tcp('32400') },
  { id: 'synology', fields: tcp('5001'), danger: true },
  { id: 'minecraft', fields: tcp('25565') },
  { id: 'minecraftBedrock', fields: udp('19132') },
  { id: 'valve', fields: udp('27015') },
  { id: 'playStation', fields: both('3478-3480') },
  { id: 'xbox', fields: both('3074') },
  // The console opens no port by itself, and takes any of these.
  { id: 'nintendo', fields: udp('45000-65535') },
  { id: 'sip', fields: both('5060-5061'), danger: true },
  { id: 'mail', fields: tcp('25,465,587,993') },
  { id: 'smb', fields: tcp('445'), danger: true },
  { id: 'vnc', fields: tcp('5900'), danger: true },
] as const satisfies readonly ForwardPreset[]

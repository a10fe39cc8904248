/** What notices go to: letters, chats by their webhooks or bots, and what watches a network. */
export const services = ['mail', 'slack', 'teams', 'discord', 'matrix', 'telegram', 'ntfy', 'syslog', 'snmp'] as const
export type Service = (typeof services)[number]

/** What says where a notice goes, and by what it is let in. */
export type Place =
  | 'to'
  | 'url'
  | 'server'
  | 'token'
  | 'room'
  | 'chat'
  | 'topic'
  | 'host'
  | 'port'
  | 'protocol'
  | 'community'

/** Which of them each service has, in the order of its form; those in the second list may stay empty. */
export const servicePlaces: Readonly<Record<Service, { needs: readonly Place[]; may?: readonly Place[] }>> = {
  mail: { needs: ['to'] },
  slack: { needs: ['url'] },
  teams: { needs: ['url'] },
  discord: { needs: ['url'] },
  matrix: { needs: ['server', 'room', 'token'] },
  telegram: { needs: ['chat', 'token'], may: ['server'] },
  ntfy: { needs: ['topic'], may: ['server', 'token'] },
  syslog: { needs: ['host', 'port', 'protocol'] },
  snmp: { needs: ['host', 'port', 'community'] },
}

/** Where a service answers whose server nobody named. */
export const publicServers: Partial<Record<Service, string>> = {
  telegram: 'https://api.telegram.org',
  ntfy: 'https://ntfy.sh',
}

/** The port that a service has of its own (RFC 5426, RFC 3417). */
export const usualPorts: Partial<Record<Service, number>> = { syslog: 514, snmp: 162 }

export const placesOf = (service: Service): readonly Place[] => {
  const { needs, may = [] } = servicePlaces[service]
  return [...needs, ...may]
}

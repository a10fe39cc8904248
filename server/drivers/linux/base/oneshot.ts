/** A service that runs once and holds its effect until it is stopped; what it reads lies in its own file. */
export type Oneshot = {
  name: string
  file: string
  description: string
  start: string[]
  stop: string[]
  after: string
}

export const unitPath = (name: string): string => `/etc/systemd/system/${name}.service`
/** Files are the whole state: what starts at boot is a drop-in, put back with the others. */
export const startPath = (name: string): string => `/etc/systemd/system/multi-user.target.d/${name}.conf`
export const wantsPath = (name: string): string => `/etc/systemd/system/sysinit.target.d/${name}.conf`

/**
 * Before the network is up, as the distribution's own firewall. What restarts or reloads that one takes all rules away:
 * ours follow it. The condition keeps a start that was queued at boot from running on files that were just put back.
 */
export const unitText = ({ file, description, start, stop, after }: Oneshot): string => `[Unit]
Description=${description}
DefaultDependencies=no
After=local-fs.target lanward-undo-boot.service ${after}
PartOf=nftables.service
ReloadPropagatedFrom=nftables.service
Conflicts=shutdown.target
Before=shutdown.target
ConditionPathExists=${file}

[Service]
Type=oneshot
RemainAfterExit=yes
${start.map(line => `ExecStart=${line}`).join('\n')}
${start.map(line => `ExecReload=${line}`).join('\n')}
${stop.map(line => `ExecStop=${line}`).join('\n')}
`

type ScriptUnit = { file: string; description: string; after: string; partOf?: string }

/** A script that makes switch and VLANs be as its file says, again and again until it can. */
export const scriptUnit = ({ file, description, after, partOf }: ScriptUnit): string => `[Unit]
Description=${description}
After=network-pre.target openvswitch-switch.service ${after}
${partOf === undefined ? '' : `PartOf=${partOf}\n`}ConditionPathExists=${file}
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh ${file}
Restart=on-failure
RestartSec=5
`

// A drop-in instead of "enable": files are the whole state, so that putting files back puts back what starts at boot.
export const wantsText = (name: string): string => `[Unit]\nWants=${name}.service\n`

/**
 * Runs a script in this boot alone, when interfaces and Open vSwitch are there: while what was not confirmed is put back,
 * neither is. Again and again until it can.
 */
export const onceUp = (unit: string, path: string): string =>
  `systemd-run --no-block --quiet --unit=${unit} -p 'After=network.target openvswitch-switch.service' \\
  -p Restart=on-failure -p RestartSec=5 sh ${path}`

'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type CallInput, type CallOutput, callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { Note } from '@/app/_ui/note'
import { Loaded } from '@/app/_ui/states'
import type { DeviceInfo } from './device-info'

type Props = { info: DeviceInfo; onClose: () => void }
type System = CallOutput<'settings/system/get'>
type Here = CallOutput<'logs/target'>
type Target = NonNullable<Here['target']>

/** What sends its lines here; what only TLS has is taken out. */
function withLines(own: System['own'], { protocol, host, port }: Target): System['own'] {
  const { syslogCa: _ca, syslogPeer: _peer, ...rest } = own
  return { ...rest, syslog: protocol, syslogHost: host, syslogPort: port }
}

/** The settings of the device with its log server set, and where its traps go, as far as both are received here. */
function sending(system: System, { target, traps }: Here): Record<string, unknown> {
  const own = target ? withLines(system.own, target) : system.own
  return traps && hasAgent(system) ? { ...own, snmpTrapHost: traps.host, snmpTrapPort: traps.port } : own
}

const hasAgent = (system: System | undefined) => system !== undefined && now(system, 'snmp') === 'on'

/** What the device has of a field now, by itself or from above. */
const now = ({ own, inherited }: System, key: string): unknown => own[key] ?? inherited[key]?.value

/** Points the device's log here: its settings are changed, and pushed as ever. */
export function LogsDialog({ info, onClose }: Props) {
  const t = useTranslations('devices.logs')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const asked = useNetworkCall('logs/target', { deviceId: info.id }, { keep: false })
  const system = useNetworkCall('settings/system/get', { scope: { device: info.id } }, { keep: false })
  const here = asked.data
  const goes = here?.target || (here?.traps && hasAgent(system.data))
  const send = async () => {
    if (!here || !system.data) return
    const { revision } = system.data
    const input = { ...sending(system.data, here), scope: { device: info.id }, revision }
    await callApi('settings/system/save', withNetwork(input) as CallInput<'settings/system/save'>)
    router.push(`/network/${networkId}/settings/review?push=now`)
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('title', { name: info.name })}
      help={t('help')}
      action={t('save')}
      disabled={!goes || !system.data || info.can.settings !== 'all'}
      onConfirm={send}
    >
      <Loaded call={asked} lines={1}>
        {answer =>
          answer.why ? (
            <Note tone="warn">{t(`why.${answer.why}`)}</Note>
          ) : (
            <>
              {answer.target && <Where target={answer.target} system={system.data} info={info} />}
              {answer.traps && <Traps traps={answer.traps} system={system.data} info={info} />}
            </>
          )
        }
      </Loaded>
    </ConfirmDialog>
  )
}

function Where({ target, system, info }: { target: Target; system: System | undefined; info: DeviceInfo }) {
  const t = useTranslations('devices.logs')
  const { host, protocol } = target
  const port = String(target.port)
  if (info.can.settings !== 'all') return <Note tone="warn">{t('cannot', { host, port })}</Note>
  const former = system && now(system, 'syslog') !== 'keep' ? now(system, 'syslogHost') : undefined
  const same = former === host && system && now(system, 'syslogPort') === target.port
  return (
    <>
      <p>{t('to', { host, port, protocol: protocol.toUpperCase() })}</p>
      {same && <Note tone="info">{t('already')}</Note>}
      {former !== undefined && !same && system && (
        <Note tone="warn">{t('instead', { host: String(former), port: String(now(system, 'syslogPort')) })}</Note>
      )}
    </>
  )
}

/** Where its traps go; they are its SNMP agent's, which its settings have to turn on. */
function Traps({
  traps,
  system,
  info,
}: {
  traps: NonNullable<Here['traps']>
  system: System | undefined
  info: DeviceInfo
}) {
  const t = useTranslations('devices.logs')
  const where = { host: traps.host, port: String(traps.port) }
  if (info.can.settings !== 'all') return <Note tone="warn">{t('cannotTraps', where)}</Note>
  if (!system) return null
  return hasAgent(system) ? <p>{t('traps', where)}</p> : <Note tone="info">{t('noAgent')}</Note>
}

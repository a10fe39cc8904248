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
type Target = NonNullable<CallOutput<'logs/target'>['target']>

/** The settings of the device with its log server set; what only TLS has is taken out. */
function sending({ own }: System, { protocol, host, port }: Target): Record<string, unknown> {
  const { syslogCa: _ca, syslogPeer: _peer, ...rest } = own
  return { ...rest, syslog: protocol, syslogHost: host, syslogPort: port }
}

/** What the device has of a field now, by itself or from above. */
const now = ({ own, inherited }: System, key: string): unknown => own[key] ?? inherited[key]?.value

/** Points the device's log here: its settings are changed, and pushed as ever. */
export function LogsDialog({ info, onClose }: Props) {
  const t = useTranslations('devices.logs')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const asked = useNetworkCall('logs/target', { deviceId: info.id }, { keep: false })
  const system = useNetworkCall('settings/system/get', { scope: { device: info.id } }, { keep: false })
  const target = asked.data?.target
  const send = async () => {
    if (!target || !system.data) return
    const { revision } = system.data
    const input = { ...sending(system.data, target), scope: { device: info.id }, revision }
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
      disabled={!target || !system.data || info.can.settings !== 'all'}
      onConfirm={send}
    >
      <Loaded call={asked} lines={1}>
        {answer =>
          answer.target ? (
            <Where target={answer.target} system={system.data} info={info} />
          ) : (
            <Note tone="warn">{t(`why.${answer.why}`)}</Note>
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

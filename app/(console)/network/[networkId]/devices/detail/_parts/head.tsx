'use client'
import { useParams, useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { withNetwork } from '@/app/_api/use-call'
import { Button, IconButton, LinkButton } from '@/app/_ui/button'
import { Icon } from '@/app/_ui/icon'
import { Menu, type MenuAction } from '@/app/_ui/menu'
import { Badge } from '@/app/_ui/status'
import { useDuration } from '@/app/_ui/value'
import { deviceState } from '@/model/device-state'
import { kindIcon, StateBadge } from '../../_parts/device-state'
import { DeviceDialog, type Doing } from '../../_parts/dialogs'
import { AccessDialog } from './access-dialog'
import { reviewPath, useWaiting } from './configuration'
import type { DeviceInfo } from './device-info'
import { RemarksDialog, RenameDialog, ReplaceDialog } from './dialogs'
import { LocateDialog } from './locate-dialog'
import { LogsDialog } from './logs-dialog'

type Props = { info: DeviceInfo; onChanged: () => void; onReboot: () => void; onEnding: (on: boolean) => void }

/** Name, state, and what can be done with the device: an action its driver lacks is not offered. */
export function Head({ info, ...does }: Props) {
  const t = useTranslations('devices')
  const { networkId } = useParams<{ networkId: string }>()
  const duration = useDuration()
  const waiting = useWaiting(info)
  const about = [
    [info.vendor, info.model].filter(Boolean).join(' ') || t(`kind.${info.kind}`),
    info.address,
    // Rule U3 has no words for less than a minute.
    (info.uptimeSeconds ?? 0) >= 60 &&
      deviceState(info) === 'online' &&
      t('detail.up', { duration: duration(info.uptimeSeconds ?? 0) }),
  ].filter(part => part !== false)
  return (
    <div className="device-head">
      <span className="device-kind">
        <Icon name={kindIcon(info.kind)} />
      </span>
      <div>
        <div className="row">
          <h1>{info.name}</h1>
          <StateBadge device={info} />
          {waiting?.modified && <Badge state="modified">{t('detail.modified')}</Badge>}
          {waiting?.drifted && <Badge state="warning">{t('detail.configuration.drifted')}</Badge>}
        </div>
        <div className="muted">
          {about.map((part, at) => (
            <span key={part} className={part === info.address ? 'ip' : undefined}>
              {at > 0 && ' · '}
              {part}
            </span>
          ))}
        </div>
      </div>
      <div className="actions">
        <Actions info={info} {...does} />
        {waiting?.modified && (
          <LinkButton kind="primary" href={reviewPath(networkId)}>
            {t('detail.configuration.review')}
          </LinkButton>
        )}
      </div>
    </div>
  )
}

type Asking = Doing['what'] | 'logs' | 'locate' | 'rename' | 'remarks' | 'replace' | 'access'

const ends = (what: Asking | undefined) => what === 'forget' || what === 'replace' || what === 'moveNetwork'

function Actions({ info, onChanged, onReboot, onEnding }: Props) {
  const t = useTranslations('devices')
  const router = useRouter()
  const { networkId } = useParams<{ networkId: string }>()
  const [asking, setAsked] = useState<Asking>()
  const setAsking = (what: Asking) => {
    setAsked(what)
    onEnding(ends(what))
  }
  const { busy, refresh } = useRefreshed(info, onChanged)
  const can = (name: DeviceInfo['actions'][number]) => info.actions.includes(name)
  const done = (changed: boolean) => {
    const what = asking
    setAsked(undefined)
    if (!changed) return onEnding(false)
    if (what === 'reboot') onReboot()
    if (ends(what)) router.replace(`/network/${networkId}/devices`)
    else onChanged()
  }
  const mayEdit = useMay('devices_edit')
  const move: MenuAction = { label: t('move.action'), icon: 'folder', onSelect: () => setAsking('move') }
  const edits: MenuAction[] = [
    { label: t('rename.action'), icon: 'edit', onSelect: () => setAsking('rename') },
    { label: t('remarks.action'), icon: 'file', onSelect: () => setAsking('remarks') },
    { label: t('access.action'), icon: 'key', onSelect: () => setAsking('access') },
    { label: t('replace.action'), icon: 'refresh', onSelect: () => setAsking('replace') },
    { label: t('moveNetwork.action'), icon: 'networks', onSelect: () => setAsking('moveNetwork') },
  ]
  const forget: MenuAction = {
    ...{ label: t('forget.action'), icon: 'trash', danger: true },
    onSelect: () => setAsking('forget'),
  }
  const ofLogs: MenuAction[] = [
    ...(useMay('logs')
      ? [
          {
            label: t('logs.action'),
            icon: 'file',
            href: `/network/${networkId}/insight/logs?device=${info.id}`,
          } as const,
        ]
      : []),
    ...(useMay('settings_system_edit')
      ? [{ label: t('logs.send'), icon: 'download', onSelect: () => setAsking('logs') } as const]
      : []),
  ]
  const more = [...(mayEdit ? edits : []), ...(useMay('devices_group_add') ? [move] : [])]
  return (
    <>
      <Button icon="refresh" busy={busy} onClick={refresh}>
        {t('detail.refresh')}
      </Button>
      {mayEdit && can('locate') && (
        <Button icon="locate" onClick={() => setAsking('locate')}>
          {t('locate.action')}
        </Button>
      )}
      {mayEdit && can('reboot') && (
        <Button icon="power" onClick={() => setAsking('reboot')}>
          {t('reboot.action')}
        </Button>
      )}
      {more.length + ofLogs.length > 0 && (
        <Menu
          trigger={<IconButton icon="more" label={t('detail.more')} />}
          groups={[{ actions: ofLogs }, { actions: more }, { actions: mayEdit ? [forget] : [] }].filter(
            ({ actions }) => actions.length > 0,
          )}
        />
      )}
      {asking === 'logs' && <LogsDialog info={info} onClose={() => done(false)} />}
      {asking === 'locate' && <LocateDialog info={info} onClose={() => done(false)} />}
      {asking === 'rename' && <RenameDialog info={info} onClose={done} />}
      {asking === 'remarks' && <RemarksDialog info={info} onClose={done} />}
      {asking === 'access' && <AccessDialog info={info} onClose={done} />}
      {asking === 'replace' && <ReplaceDialog info={info} onClose={done} />}
      {(asking === 'reboot' || asking === 'move' || asking === 'moveNetwork' || asking === 'forget') && (
        <DeviceDialog doing={{ what: asking, devices: [info] }} onClose={done} />
      )}
    </>
  )
}

/** Reads the device now. A failure is told by a toast. */
function useRefreshed(info: DeviceInfo, onChanged: () => void) {
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    await callApi('devices/sync', withNetwork({ id: info.id })).catch(() => undefined)
    setBusy(false)
    onChanged()
  }
  return { busy, refresh: () => void refresh() }
}

'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { useTargets } from '@/app/_shared/device-choice'
import { ComboField } from '@/app/_ui/combo-field'
import { TextField } from '@/app/_ui/field'
import { portRows, portStep } from '@/app/_ui/port-rows'
import { portNames } from '@/model/profiles/port-names'
import { type InputProps, typed } from './input-frame'
import { Lines } from './more-inputs'

type Port = CallOutput<'devices/switch/ports'>['result'][number]

/** The port that a name means: the interface's name goes before the label on the front. */
const called = (name: string, ports: readonly Port[]) =>
  ports.find(port => port.name === name) ?? ports.find(port => port.label === name)

/** The names after a press on a port: it is put in by its interface's name, or every name that means it taken out. */
export function pressed(names: readonly string[], port: Port, ports: readonly Port[]): string[] {
  const left = names.filter(name => called(name, ports) !== port)
  return left.length < names.length ? left : [...names, port.name]
}

type PickProps = { device: number; label: string; names: readonly string[]; onChange: (names: string[]) => void }

/** The ports of a device as on its front; a press chooses one or takes it back. Arrow keys walk, Space presses. */
function PortPicker({ device, label, names, onChange }: PickProps) {
  const t = useTranslations('form.ports')
  const { data } = useNetworkCall('devices/switch/ports', { deviceId: device, page: 1, pageSize: 200 })
  const box = useRef<HTMLFieldSetElement>(null)
  const [at, setAt] = useState(0)
  if (!data) return null
  const ports = data.result
  if (ports.length === 0) return <p className="help">{t('none')}</p>
  const buttons = () => [...(box.current?.querySelectorAll<HTMLElement>('button') ?? [])]
  const walk = (event: KeyboardEvent, from: Port) => {
    const step = portStep(event.key, ports)
    if (!step) return
    event.preventDefault()
    const next = ports[ports.indexOf(from) + step]
    buttons()
      .find(button => button.dataset.port === next?.interface)
      ?.focus()
  }
  const word = (port: Port) => {
    const others = port.profiles.map(one => one.name).join(', ')
    return others ? t('portOf', { port: port.label, profile: others }) : t('port', { port: port.label })
  }
  return (
    <fieldset className="front-panel port-picker" aria-label={label} ref={box}>
      <div className="port-block">
        {portRows(ports).map((row, line, rows) => (
          <div key={row[0]?.interface} className={line === 0 && rows.length > 1 ? 'port-row upper' : 'port-row'}>
            {row.map(port => (
              <button
                key={port.interface}
                type="button"
                className={port.profiles.length > 0 ? 'port taken' : 'port'}
                data-port={port.interface}
                title={word(port)}
                aria-label={word(port)}
                aria-pressed={names.some(name => called(name, ports) === port)}
                tabIndex={ports.indexOf(port) === Math.min(at, ports.length - 1) ? 0 : -1}
                onFocus={() => setAt(ports.indexOf(port))}
                onKeyDown={event => walk(event, port)}
                onClick={() => onChange(pressed(names, port, ports))}
              >
                <span className="jack">
                  <i className="led" />
                </span>
                <span className="port-number">{port.label}</span>
              </button>
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** Names of ports of any switch: typed one a line, or picked on one of them. */
export function PortLines(props: InputProps) {
  const t = useTranslations('form.ports')
  const [device, setDevice] = useState('')
  const { devices } = useTargets(device === '' ? [] : [Number(device)])
  const maySee = useMay('devices')
  const names = ((props.value as string[] | undefined) ?? []).filter(Boolean)
  return (
    <>
      <Lines {...props} />
      {maySee && (
        <>
          <ComboField label={t('on')} {...devices} value={device} onChange={setDevice} />
          {device !== '' && (
            <PortPicker device={Number(device)} label={t('pick')} names={names} onChange={props.onChange} />
          )}
        </>
      )}
    </>
  )
}

/** Names of ports of the row's own device, with commas between. */
export function PortsHere(props: InputProps) {
  const t = useTranslations('form.ports')
  const device = props.row?.device
  const maySee = useMay('devices')
  const take = (names: string[]) => props.onChange(names.length > 0 ? names.join(', ') : undefined)
  return (
    <>
      <TextField {...typed(props)} spellCheck={false} autoCapitalize="none" />
      {maySee && typeof device === 'number' && (
        <PortPicker
          device={device}
          label={t('pick')}
          names={portNames(props.value as string | undefined)}
          onChange={take}
        />
      )}
    </>
  )
}

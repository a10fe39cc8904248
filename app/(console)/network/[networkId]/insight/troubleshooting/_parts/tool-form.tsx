import { useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { ComboField } from '@/app/_ui/combo-field'
import { NumberField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'
import { EmptyState, Loaded } from '@/app/_ui/states'
import { useSettled } from '@/app/_ui/use-settled'
import { type RecordType, recordTypes, type ToolName, toolNames } from '@/model/troubleshooting/request'
import { CaptureInputs } from './capture-inputs'
import { ClientInputs } from './client-inputs'
import { PeerInputs } from './peer-inputs'
import type { Values } from './values'

type Start = { tool?: string; client?: string; host?: string; device?: string }

const manager = 'manager'

/** What a test is asked with; what is left empty takes its default. */
function requestOf({
  tool,
  client,
  lookUp,
  host,
  count,
  size,
  rounds,
  type,
  server,
  port,
  peer,
  seconds,
  reverse,
  interface: of,
  filter,
  file,
}: Values) {
  const given = <T,>(name: string, value: T | undefined) => (value === undefined ? {} : { [name]: value })
  if (tool === 'ping') return { tool, host, ...given('count', count), ...given('size', size) }
  if (tool === 'mtr') return { tool, host, ...given('rounds', rounds) }
  if (tool === 'client') return { tool, mac: client, ...(lookUp.trim() && { name: lookUp }) }
  if (tool === 'traceroute') return { tool, host }
  if (tool === 'dns') return { tool, name: host, type, ...(server.trim() && { server }) }
  if (tool === 'iperf3') return { tool, peer: Number(peer), reverse: reverse === 'from', ...given('seconds', seconds) }
  if (tool === 'capture')
    return {
      ...{ tool, interface: of, filter, name: file },
      ...(server.trim() && { host: server }),
      ...given('port', port),
      ...given('seconds', seconds),
      ...given('packets', count),
      ...given('bytes', size),
    }
  // Without one it is refused at its field.
  if (tool === 'port') return { tool, host, port: port as number }
  return { tool }
}

/** Where a test can be run from; the manager searches the devices. */
function usePlaces() {
  const t = useTranslations('troubleshooting.run')
  const [typed, onTyped] = useState('')
  const search = useSettled(typed)
  const call = useNetworkCall('diagnostics/places', { search })
  const { data } = call
  const own = { value: manager, label: t('manager') }
  const fits = data?.manager && own.label.toLowerCase().includes(typed.trim().toLowerCase())
  const devices = (data?.devices ?? []).map(({ id, name, address, online }) => ({
    value: String(id),
    label: name,
    help: online ? address : `${address} · ${t('offline')}`,
  }))
  return {
    call,
    options: [...(fits ? [own] : []), ...devices],
    first: data?.manager ? manager : devices[0]?.value,
    total: data?.total ?? 0,
    onTyped,
    none: typed === '' && data !== undefined && !data.manager && devices.length === 0,
    own,
  }
}

/** Chooses a test, where it is run from and what it needs, and runs it. */
export function ToolForm({ start, onRun }: { start: Start; onRun: (id: string) => void }) {
  const t = useTranslations('troubleshooting')
  const places = usePlaces()
  return (
    <Card title={t('run.title')} pad>
      <Loaded call={places.call} lines={4}>
        {() =>
          places.none ? (
            <EmptyState icon="devices" title={t('run.noPlaceTitle')}>
              <span className="soft">{t('run.noPlace')}</span>
            </EmptyState>
          ) : (
            <Form places={places} start={start} onRun={onRun} />
          )
        }
      </Loaded>
    </Card>
  )
}

type FormProps = { places: ReturnType<typeof usePlaces>; start: Start; onRun: (id: string) => void }

function Form({ places, start, onRun }: FormProps) {
  const t = useTranslations('troubleshooting')
  const { errors, busy, run } = useSubmit<'run'>()
  const { values, field, put } = useFields<Values>({
    tool: toolNames.find(name => name === start.tool) ?? 'ping',
    from: start.device ?? places.first ?? '',
    client: start.client ?? '',
    lookUp: '',
    host: start.host ?? '',
    count: undefined,
    size: undefined,
    rounds: undefined,
    type: 'A',
    server: '',
    port: undefined,
    peer: '',
    seconds: undefined,
    reverse: 'to',
    interface: 'any',
    filter: '',
    file: 'capture',
  })
  const [known, setKnown] = useState(places.options)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isManager = values.from === manager || values.tool === 'client'
    const deviceId = isManager ? undefined : Number(values.from)
    const input = { request: requestOf(values), ...(deviceId && { deviceId }) }
    void run('run', async () => onRun((await callApi('diagnostics/run', withNetwork(input) as never)).id))
  }
  const at = (name: string) => errors[`request.${name}`]
  const { tool } = values
  return (
    <form onSubmit={submit} className="diagnosis-form" noValidate>
      <SelectField
        {...field('tool')}
        label={t('run.tool')}
        help={t(`toolHelp.${tool}`)}
        onChange={value => put({ tool: value as ToolName })}
        options={toolNames.map(value => ({ value, label: t(`tools.${value}`) }))}
      />
      {tool === 'client' ? (
        <ClientInputs values={values} at={at} put={put} />
      ) : (
        <>
          <ComboField
            label={t('run.from')}
            value={values.from}
            error={errors.deviceId}
            onChange={from => {
              setKnown(places.options.filter(one => one.value === from))
              put({ from })
            }}
            options={places.options}
            asked={{ total: places.total, onTyped: places.onTyped, chosen: [places.own, ...known] }}
          />
          {tool === 'iperf3' && <PeerInputs values={values} at={at} put={put} />}
          {tool === 'capture' && <CaptureInputs values={values} at={at} put={put} />}
          {tool !== 'iperf3' && tool !== 'capture' && <Inputs values={values} at={at} put={put} />}
        </>
      )}
      <div className="diagnosis-start">
        <Button type="submit" kind="primary" busy={busy === 'run'}>
          {t('run.start')}
        </Button>
      </div>
    </form>
  )
}

type InputsProps = {
  values: Values
  at: (name: string) => string | undefined
  put: (change: Partial<Values>) => void
}

function Inputs({ values, at, put }: InputsProps) {
  const t = useTranslations('troubleshooting.run')
  const { tool, host, count, size, rounds, type, server, port } = values
  if (tool === 'neighbours') return null
  const asksName = tool === 'dns'
  return (
    <>
      <TextField
        label={t(asksName ? 'name' : 'host')}
        help={t(asksName ? 'nameHelp' : 'hostHelp')}
        value={host}
        error={at(asksName ? 'name' : 'host')}
        onChange={value => put({ host: value })}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="none"
      />
      {tool === 'ping' && (
        <>
          <NumberField
            label={t('count')}
            help={t('countHelp')}
            placeholder="5"
            value={count}
            error={at('count')}
            onChange={value => put({ count: value })}
          />
          <NumberField
            label={t('size')}
            help={t('sizeHelp')}
            placeholder="56"
            unit={t('bytes')}
            value={size}
            error={at('size')}
            onChange={value => put({ size: value })}
          />
        </>
      )}
      {tool === 'mtr' && (
        <NumberField
          label={t('rounds')}
          help={t('roundsHelp')}
          placeholder="10"
          value={rounds}
          error={at('rounds')}
          onChange={value => put({ rounds: value })}
        />
      )}
      {tool === 'dns' && (
        <>
          <SelectField
            label={t('type')}
            value={type}
            onChange={value => put({ type: value as RecordType })}
            options={recordTypes.map(value => ({ value, label: value }))}
          />
          <TextField
            label={t('server')}
            help={t('serverHelp')}
            optional
            value={server}
            error={at('server')}
            onChange={value => put({ server: value })}
            dir="ltr"
            spellCheck={false}
          />
        </>
      )}
      {tool === 'port' && (
        <NumberField label={t('port')} value={port} error={at('port')} onChange={value => put({ port: value })} />
      )}
    </>
  )
}

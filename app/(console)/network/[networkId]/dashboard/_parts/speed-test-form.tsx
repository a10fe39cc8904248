import { useTranslations } from 'next-intl'
import type { FormEvent } from 'react'
import { type CallOutput, callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { useFields } from '@/app/_api/use-fields'
import { useSubmit } from '@/app/_api/use-submit'
import { Button } from '@/app/_ui/button'
import { NumberField, TextField } from '@/app/_ui/field'
import { SelectField } from '@/app/_ui/select-field'

export type Places = CallOutput<'dashboard/speed-test/servers'>
type Server = Places['servers'][number]['server']

const manager = 'manager'
const other = 'other'

type Values = {
  from: string
  /** Place in the list of those used before, or another one. */
  known: string
  type: Server['type']
  host: string
  port: number | undefined
  download: string
  upload: string
}

/** The server as it was chosen or typed; what is left empty takes its default, or is refused at its field. */
function serverOf({ known, type, host, port, download, upload }: Values, { servers }: Places): Server {
  const before = servers[Number(known)]
  if (known !== other && before) return before.server
  if (type === 'http') return { type, download, ...(upload.trim() && { upload }) }
  return { type, host, ...(port !== undefined && { port }) } as Server
}

/** Against what, and from where. */
export function SpeedTestForm({ places, onStart }: { places: Places; onStart: (id: string) => void }) {
  const t = useTranslations('dashboard.speedTest.start')
  const { errors, busy, run } = useSubmit<'start'>()
  const { servers, devices } = places
  const { values, field, put } = useFields<Values>({
    from: devices[0] ? String(devices[0].id) : manager,
    known: servers.length > 0 ? '0' : other,
    type: 'iperf3',
    host: '',
    port: undefined,
    download: '',
    upload: '',
  })
  const isNew = values.known === other || servers[Number(values.known)] === undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const deviceId = values.from === manager ? undefined : Number(values.from)
    const input = { server: serverOf(values, places), ...(deviceId !== undefined && { deviceId }) }
    void run('start', async () => onStart((await callApi('dashboard/speed-test/start', withNetwork(input))).id))
  }
  const at = (name: string) => errors[`server.${name}`]
  const address = { dir: 'ltr', spellCheck: false, autoCapitalize: 'none' } as const
  return (
    <form onSubmit={submit} className="speed-test-form" noValidate>
      <SelectField
        {...field('from')}
        label={t('from')}
        help={t('fromHelp')}
        error={errors.deviceId}
        options={[
          ...devices.map(({ id, name, online }) => ({
            value: String(id),
            label: online ? name : t('offline', { name }),
          })),
          ...(places.manager ? [{ value: manager, label: t('manager') }] : []),
        ]}
      />
      {servers.length > 0 && (
        <SelectField
          {...field('known')}
          label={t('server')}
          options={[
            ...servers.map(({ name, server }, index) => ({
              value: String(index),
              label: t('known', { name, type: t(`types.${server.type}`) }),
            })),
            { value: other, label: t('other') },
          ]}
        />
      )}
      {isNew && (
        <SelectField
          {...field('type')}
          label={t('type')}
          help={t(`typeHelp.${values.type}`)}
          onChange={type => put({ type: type as Values['type'] })}
          options={(['iperf3', 'http'] as const).map(value => ({ value, label: t(`types.${value}`) }))}
        />
      )}
      {isNew && values.type === 'iperf3' && (
        <>
          <TextField {...field('host')} {...address} label={t('host')} help={t('hostHelp')} error={at('host')} />
          <NumberField
            label={t('port')}
            placeholder="5201"
            value={values.port}
            error={at('port')}
            onChange={port => put({ port })}
          />
        </>
      )}
      {isNew && values.type === 'http' && (
        <>
          <TextField
            {...field('download')}
            {...address}
            label={t('download')}
            help={t('downloadHelp')}
            error={at('download')}
          />
          <TextField
            {...field('upload')}
            {...address}
            label={t('upload')}
            help={t('uploadHelp')}
            optional
            error={at('upload')}
          />
        </>
      )}
      <div className="speed-test-go">
        <Button type="submit" kind="primary" busy={busy === 'start'}>
          {t('go')}
        </Button>
        <span className="soft">{t('goHelp')}</span>
      </div>
    </form>
  )
}

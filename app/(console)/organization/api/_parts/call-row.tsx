import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { Badge } from '@/app/_ui/status'
import { CallTry, type TryProps } from './call-try'
import { type CallView, typeOf } from './catalogue'

/** A call in a line; opened, what it takes and a way to try it. */
export function CallRow({ call, ...rest }: TryProps) {
  const t = useTranslations('api.calls')
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <li>
      <button
        type="button"
        className="call-open"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <code dir="ltr">{call.path}</code>
        <span className="grow soft">{call.summary}</span>
        {!call.keys && <Badge>{t('personOnly')}</Badge>}
        <Badge tone={call.changes ? 'warn' : undefined}>{t(call.changes ? 'changes' : 'reads')}</Badge>
      </button>
      {open && (
        <div className="call-more" id={id}>
          <p className="soft">
            {t('right')} <Right name={call.authority} />
          </p>
          <Fields call={call} />
          {call.keys && call.input ? (
            <CallTry call={call} {...rest} />
          ) : (
            !call.keys && <p className="soft">{t('notHere')}</p>
          )}
        </div>
      )}
    </li>
  )
}

function Right({ name }: { name: string }) {
  const t = useTranslations('api.calls')
  if (name === 'open' || name === 'session') return t(`rights.${name}`)
  return <code dir="ltr">{name}</code>
}

function Fields({ call: { path, input } }: { call: CallView }) {
  const t = useTranslations('api.calls')
  const fields = Object.entries(input?.properties ?? {})
  if (fields.length === 0) return <p className="soft">{t('noFields')}</p>
  return (
    <table className="data-table call-fields" aria-label={path}>
      <thead>
        <tr>
          <th scope="col">{t('field')}</th>
          <th scope="col">{t('type')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(([name, schema]) => (
          <tr key={name}>
            <th scope="row">
              <code dir="ltr">{name}</code>
              {input?.required?.includes(name) && <span className="requirement"> {t('needed')}</span>}
            </th>
            <td>
              <code dir="ltr">{typeOf(schema)}</code>
              {schema.description && <span className="help"> {schema.description}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

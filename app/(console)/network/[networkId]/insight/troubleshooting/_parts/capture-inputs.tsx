import { useTranslations } from 'next-intl'
import { NumberField, TextField } from '@/app/_ui/field'
import type { Values } from './values'

type Props = {
  values: Values
  at: (name: string) => string | undefined
  put: (change: Partial<Values>) => void
}

/** Which packets, how many, and for how long. */
export function CaptureInputs({ values, at, put }: Props) {
  const t = useTranslations('troubleshooting.capture')
  const typed = { dir: 'ltr', spellCheck: false, autoCapitalize: 'none' } as const
  return (
    <>
      <TextField
        {...typed}
        label={t('interface')}
        help={t('interfaceHelp')}
        value={values.interface}
        error={at('interface')}
        onChange={value => put({ interface: value })}
      />
      <TextField
        {...typed}
        optional
        label={t('host')}
        help={t('hostHelp')}
        value={values.server}
        error={at('host')}
        onChange={server => put({ server })}
      />
      <NumberField
        optional
        label={t('port')}
        help={t('portHelp')}
        value={values.port}
        error={at('port')}
        onChange={port => put({ port })}
      />
      <TextField
        {...typed}
        optional
        label={t('filter')}
        help={t('filterHelp')}
        value={values.filter}
        error={at('filter')}
        onChange={filter => put({ filter })}
      />
      <NumberField
        label={t('seconds')}
        help={t('secondsHelp')}
        placeholder="10"
        unit="s"
        value={values.seconds}
        error={at('seconds')}
        onChange={seconds => put({ seconds })}
      />
      <NumberField
        label={t('packets')}
        help={t('packetsHelp')}
        placeholder="500"
        value={values.count}
        error={at('packets')}
        onChange={count => put({ count })}
      />
      <NumberField
        label={t('bytes')}
        help={t('bytesHelp')}
        placeholder="256"
        unit={t('bytesUnit')}
        value={values.size}
        error={at('bytes')}
        onChange={size => put({ size })}
      />
      <TextField
        {...typed}
        label={t('name')}
        help={t('nameHelp')}
        value={values.file}
        error={at('name')}
        onChange={file => put({ file })}
      />
    </>
  )
}

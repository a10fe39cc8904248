'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useNetworkCall, withNetwork } from '@/app/_api/use-call'
import { ComboField } from '@/app/_ui/combo-field'
import { NumberField } from '@/app/_ui/field'
import { frameOf, type InputProps } from './input-frame'
import { useAdd } from './use-add'

// What the list holds beside the LAN networks: none of them, and a VLAN that nobody named.
const none = ''
const other = 'other'

/** A VLAN, by the name of the LAN that has it; one that only switches know is typed. */
export function LanChoice(props: InputProps) {
  const { spec, words, value, onChange, onBlur } = props
  const t = useTranslations('form.lan')
  const { data } = useNetworkCall('settings/vlans/list', {})
  const all = data?.result ?? []
  // Rule N14: 1 is the untagged LAN, where an access point itself is.
  const lans = all.filter(one => one.vlan > 1)
  const own = all.find(one => one.vlan === 1)
  const [typing, setTyping] = useState(false)
  const unnamed = value !== undefined && data !== undefined && !lans.some(one => one.vlan === value)
  const isOther = typing || unnamed
  const { add, panel } = useAdd(props, 'lan', all.length, async id => {
    const made = await callApi('settings/lan/get', withNetwork({ id }))
    setTyping(false)
    onChange(made.vlan)
  })
  const options = [
    { value: none, label: words.maybe(`fields.${spec.key}.empty`) ?? '–', ...(own && { help: own.name }) },
    ...lans.map(({ name, vlan, subnet }) => ({
      value: String(vlan),
      label: name,
      help: subnet === undefined ? t('vlan', { vlan }) : t('vlanSubnet', { vlan, subnet }),
    })),
    { value: other, label: t('other') },
  ]
  const choose = (next: string) => {
    setTyping(next === other)
    if (next !== other) onChange(next === none ? undefined : Number(next))
    else if (!unnamed) onChange(undefined)
  }
  const { error, ...frame } = frameOf(props)
  return (
    <>
      <ComboField
        {...frame}
        {...(!isOther && error !== undefined && { error })}
        {...(isOther && { id: `${frame.id}-lan` })}
        options={options}
        value={isOther ? other : String(value ?? '')}
        onChange={choose}
        {...(add && { add })}
      />
      {isOther && (
        <NumberField
          id={frame.id}
          label={t('number')}
          help={t('numberHelp')}
          changed={props.changed}
          name={spec.key}
          value={value as number | undefined}
          onChange={onChange}
          onBlur={() => onBlur()}
          {...(error !== undefined && { error })}
        />
      )}
      {panel}
    </>
  )
}

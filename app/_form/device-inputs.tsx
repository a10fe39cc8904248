'use client'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { shownName } from '@/app/_shared/clients/client'
import { useTargets } from '@/app/_shared/device-choice'
import { ComboField } from '@/app/_ui/combo-field'
import { TextField } from '@/app/_ui/field'
import { useSettled } from '@/app/_ui/use-settled'
import { frameOf, type InputProps, typed } from './input-frame'

type Proposal = { value: string; label: string }

/** Text, with what is proposed for it. */
function Proposed({ proposals, ...props }: InputProps & { proposals: readonly Proposal[] }) {
  const list = `${frameOf(props).id}-list`
  return (
    <>
      <TextField {...typed(props)} list={list} spellCheck={false} autoCapitalize="none" />
      <datalist id={list}>
        {proposals.map(one => (
          <option key={one.value} {...one} />
        ))}
      </datalist>
    </>
  )
}

/** The address of a client, with those that are connected to choose from, for whoever may see them. */
function FromClients(props: InputProps) {
  const maySee = useMay('clients')
  const search = useSettled(String(props.value ?? ''))
  const { data } = useNetworkCall('clients/list', maySee ? { search, pageSize: 50 } : null)
  const proposals = (data?.result ?? []).flatMap(one =>
    one.address ? [{ value: one.address, label: shownName(one) }] : [],
  )
  return <Proposed {...props} proposals={proposals} />
}

/** A name typed, with those that the network's devices have to choose from. */
export function FromDevices(props: InputProps) {
  const { source } = props.spec
  const ofDevices = source === 'clients' ? undefined : source
  const { data } = useNetworkCall('settings/sources', ofDevices ? { source: ofDevices } : null)
  if (source === 'clients') return <FromClients {...props} />
  const proposals = (data?.result ?? []).map(({ name, devices }) => ({ value: name, label: devices.join(', ') }))
  return <Proposed {...props} proposals={proposals} />
}

/** A device of the network, by its name. */
export function DeviceChoice(props: InputProps) {
  const { devices } = useTargets(typeof props.value === 'number' ? [props.value] : [])
  const take = (id: string) => props.onChange(id === '' ? undefined : Number(id))
  return <ComboField {...frameOf(props)} {...devices} value={String(props.value ?? '')} onChange={take} />
}

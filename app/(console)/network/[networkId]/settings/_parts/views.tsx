'use client'
import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import type { SettingsForm } from '@/app/_form/settings-form'
import type { SettingsListProps } from '@/app/_form/settings-list'
import type { SingleFormProps } from '@/app/_form/single-form'
import { SkeletonLines } from '@/app/_ui/states'
import { CapturesLink } from './captures-link'
import { LeaseLink } from './lease-link'

// One page draws every kind of setting: each address loads the part that it shows, and not the others.

const loading = () => <SkeletonLines lines={8} />
const Form = dynamic(async () => (await import('@/app/_form/settings-form')).SettingsForm, { loading })
const List = dynamic(async () => (await import('@/app/_form/settings-list')).SettingsList, { loading })
const WifiNetworks = dynamic(async () => (await import('./wifi-networks')).WifiNetworks, { loading })
const JoinButton = dynamic(async () => (await import('./join')).JoinButton)
const WanHealth = dynamic(async () => (await import('./wan-health')).WanHealth)

const AdFigures = dynamic(async () => (await import('./ad-figures')).AdFigures)
const Announced = dynamic(async () => (await import('./announced')).Announced)
const RadiusHere = dynamic(async () => (await import('./radius-here')).RadiusHere)
const RadiusSessions = dynamic(async () => (await import('@/app/_shared/radius-sessions')).RadiusSessions)
const SignIns = dynamic(async () => (await import('./sign-ins')).SignIns)

const Single = dynamic(async () => (await import('@/app/_form/single-form')).SingleForm, { loading })
const RadioForm = dynamic(async () => (await import('./radio-form')).RadioForm, { loading })

/** The form of what exists once. */
export const SingleView = (props: SingleFormProps) =>
  props.spec.id === 'radio' ? (
    <RadioForm {...props} />
  ) : (
    <Single {...props} {...(props.spec.id === 'system' && { below: belowSystem })} />
  )

const belowSystem = (field: string) => field === 'syslog' && <CapturesLink />

/** A kind's list, with what its page has beside it. */
export function ListView(props: SettingsListProps) {
  const { id } = props.spec
  if (id === 'ssid') return <WifiNetworks {...props} />
  return (
    <>
      <List key={id} {...props} {...(id === 'radiusUser' && { above: <RadiusHere mayEdit={props.mayEdit} /> })} />
      {id === 'wan' && <WanHealth />}
      {id === 'portal' && <Announced />}
      {id === 'splash' && <AdFigures />}
      {id === 'radiusUser' && <RadiusSessions mayEdit={props.mayEdit} />}
      {id === 'radiusUser' && <SignIns />}
      {id === 'lan' && <LeaseLink networkId={props.networkId} />}
    </>
  )
}

/** A kind's form. */
export function FormView(props: Omit<ComponentProps<typeof SettingsForm>, 'actions'>) {
  const joins = props.spec.id === 'ssid' && props.id !== undefined
  return <Form {...props} {...(joins && { actions: <JoinButton id={props.id ?? ''} /> })} />
}

'use client'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { SweepProgress } from '@/app/_shared/adoption/progress'
import { Button } from '@/app/_ui/button'
import { TextField } from '@/app/_ui/field'
import { Note } from '@/app/_ui/note'
import { useStep } from './use-step'
import type { Sweep } from './wizard-data'

type SearchProps = {
  sweep: Sweep | undefined
  /** No device is in the draft yet: the search begins by itself, once. */
  untouched: boolean
  refresh: () => unknown
}

/** The segments that are proposed, those of a size that may be searched unasked first, and the search itself. */
function useSearch({ sweep, untouched, refresh }: SearchProps) {
  const { busy, errors, failure, run } = useStep([])
  const segments = useCall('wizard/discover/segments', {}).data
  const [typed, setTyped] = useState<string>()
  const proposed = segments?.result ?? []
  const wide = proposed.filter(one => one.within !== undefined)
  const fitting = proposed.filter(one => one.within === undefined)
  const where = typed ?? (fitting.length > 0 ? fitting : wide).map(one => one.cidr).join(', ')
  const start = async () => {
    const list = where.split(/[\s,]+/).filter(Boolean)
    await run(() => callApi('wizard/discover', { segments: list }, { quiet: true }))
    await refresh()
  }
  const stop = async () => {
    await run(() => callApi('wizard/discover/stop', {}, { quiet: true }))
    await refresh()
  }
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current || !untouched || sweep?.state !== 'none' || fitting.length === 0) return
    begun.current = true
    void start()
  })
  const problem = Object.values(errors)[0] ?? failure
  return {
    where,
    setTyped,
    start,
    stop,
    busy,
    problem,
    wide,
    none: segments?.result.length === 0,
    most: segments?.most,
  }
}

/** Where is searched, how far that is, and adding by address. */
export function Scan({ onAdd, ...props }: SearchProps & { onAdd: (address: string) => void }) {
  const t = useTranslations('wizard.devices')
  const search = useSearch(props)
  const { sweep } = props
  return (
    <>
      <div className="scan">
        {sweep?.state === 'running' ? (
          <SweepProgress sweep={sweep} onStop={search.stop} />
        ) : (
          <>
            <div className="grow">
              <TextField
                label={t('where')}
                help={t('whereHelp', { most: search.most ?? 0 })}
                dir="ltr"
                value={search.where}
                onChange={search.setTyped}
                error={search.problem}
              />
            </div>
            <Button icon="search" busy={search.busy} disabled={search.where.trim() === ''} onClick={search.start}>
              {sweep && sweep.state !== 'none' ? t('searchAgain') : t('search')}
            </Button>
          </>
        )}
        <AddAddress onAdd={onAdd} />
      </div>
      {(search.none || search.wide.length > 0) && (
        <div className="scan">
          <div className="grow">
            {search.none && (
              <Note tone="info" title={t('noSegment')}>
                {t('noSegmentMore')}
              </Note>
            )}
            {search.wide.map(({ cidr, within = '' }) => (
              <Note key={cidr} tone="info" title={t('wide', { within })}>
                {t('wideMore', { cidr })}
              </Note>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

function AddAddress({ onAdd }: { onAdd: (address: string) => void }) {
  const t = useTranslations('wizard.devices')
  const [address, setAddress] = useState('')
  const add = () => {
    const wanted = address.trim()
    if (wanted) onAdd(wanted)
    setAddress('')
  }
  return (
    <div className="scan-add">
      <TextField
        label={t('address')}
        dir="ltr"
        value={address}
        onChange={setAddress}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button icon="plus" disabled={address.trim() === ''} onClick={add}>
        {t('add')}
      </Button>
    </div>
  )
}

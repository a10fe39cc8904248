'use client'
import { useTranslations } from 'next-intl'
import { useMemo, useState } from 'react'
import type { CallOutput } from '@/app/_api/client'
import { useCall } from '@/app/_api/use-call'
import { Card } from '@/app/_ui/card'
import { Dialog } from '@/app/_ui/dialog'
import { TextField } from '@/app/_ui/field'
import { fold } from '@/app/_ui/listbox'
import { Pager } from '@/app/_ui/pager'
import { EmptyState, Loaded } from '@/app/_ui/states'
import './about.css'

type Package = CallOutput<'licences/list'>['result'][number]

const titleOf = ({ name, version }: Package) => (version ? `${name} ${version}` : name)

/** All that goes out with the manager, each with its licence's text. */
export function Licences() {
  const t = useTranslations('account.about')
  const call = useCall('licences/list', {})
  const [open, setOpen] = useState<Package>()
  return (
    <Card title={t('thirdParty')}>
      <p className="soft licence-find">{t('thirdPartyText')}</p>
      <Loaded call={call} lines={6}>
        {({ result }) =>
          result.length ? <Found all={result} onOpen={setOpen} /> : <EmptyState slim title={t('noList')} />
        }
      </Loaded>
      {open && <LicenceText of={open} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

function Found({ all, onOpen }: { all: readonly Package[]; onOpen: (one: Package) => void }) {
  const t = useTranslations('account.about')
  const [wanted, setWanted] = useState('')
  const [page, setPage] = useState(1)
  const [pageSize, setPageSize] = useState(10)
  const found = useMemo(() => {
    const words = fold(wanted).split(/\s+/).filter(Boolean)
    return all.filter(one => words.every(word => fold(`${titleOf(one)} ${one.licence}`).includes(word)))
  }, [all, wanted])
  return (
    <>
      <div className="licence-find">
        <TextField
          label={t('find')}
          type="search"
          value={wanted}
          onChange={text => {
            setWanted(text)
            setPage(1)
          }}
        />
      </div>
      <ul className="licences" aria-label={t('thirdParty')}>
        {found.slice((page - 1) * pageSize, page * pageSize).map(one => (
          <li key={titleOf(one)}>
            <button type="button" onClick={() => onOpen(one)}>
              <b>{titleOf(one)}</b>
              <span className="soft end">{one.licence || t('inText')}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <EmptyState slim title={t('noneFound')} />}
      <Pager
        page={page}
        pageSize={pageSize}
        total={found.length}
        onPage={setPage}
        onPageSize={size => {
          setPageSize(size)
          setPage(1)
        }}
      />
    </>
  )
}

function LicenceText({ of, onClose }: { of: Package; onClose: () => void }) {
  const { name, version } = of
  const call = useCall('licences/get', { name, version }, { keep: false })
  return (
    <Dialog open width="wide" title={titleOf(of)} onClose={onClose}>
      <Loaded call={call} lines={8}>
        {({ text }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by the keyboard, too.
          <pre className="licence-text" dir="ltr" tabIndex={0}>
            {text}
          </pre>
        )}
      </Loaded>
    </Dialog>
  )
}

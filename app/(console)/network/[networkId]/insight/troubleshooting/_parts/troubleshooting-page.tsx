'use client'
import { useMay } from '@/app/_api/may'
import { Note } from '@/app/_ui/note'
import { PageHead } from '@/app/_ui/page-head'
import { useTable } from '@/app/_ui/use-table'
import { ResultCard } from './result-card'
import { ResultsList } from './results-list'
import { comparedMost } from './rows'
import { ToolForm } from './tool-form'
import './troubleshooting.css'
import { useWords } from './use-words'

/** Tests from the manager or from a device, live, kept, and side by side. */
export function TroubleshootingPage() {
  const { t } = useWords()
  const table = useTable()
  const mayRun = useMay('troubleshooting_run')
  const { open = '', tool, client, host, device } = table.state.filters
  const shown = [...new Set(open.split(',').filter(Boolean))].slice(0, comparedMost)
  const show = (ids: readonly string[]) => table.change({ filters: { open: ids.join(',') } })
  return (
    <>
      <PageHead title={t('title')} />
      <div className="diagnosis-page">
        {mayRun ? (
          <ToolForm
            start={{
              ...(tool && { tool }),
              ...(client && { client }),
              ...(host && { host }),
              ...(device && { device }),
            }}
            onRun={id => show([id])}
          />
        ) : (
          <Note tone="info">{t('run.mayNot')}</Note>
        )}
        {shown.length > 0 && (
          <div className={shown.length > 1 ? 'diagnosis-results several' : 'diagnosis-results'}>
            {shown.map(id => (
              <ResultCard
                key={id}
                id={id}
                onClose={() => show(shown.filter(one => one !== id))}
                onRun={next => show(shown.map(one => (one === id ? next : one)))}
              />
            ))}
          </div>
        )}
        <ResultsList table={table} onOpen={show} />
      </div>
    </>
  )
}

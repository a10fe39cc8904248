'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { useNetworkCall } from '@/app/_api/use-call'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'
import { DataTable } from '@/app/_ui/data-table'
import { EmptyState } from '@/app/_ui/states'
import { type Table, useTable } from '@/app/_ui/use-table'
import { Count } from '@/app/_ui/value'
import { everyVoucherState, mayRenew, type VoucherState, voucherStates } from '@/model/guests/voucher'
import type { Group, Voucher } from '../../_parts/rows'
import { stateNames } from '../../_parts/states'
import { DeleteVouchers, RenewVouchers } from './dialogs'
import { PrintDialog } from './print-dialog'
import { useColumns } from './voucher-columns'

const { unused, inUse } = voucherStates
/** Lets somebody in. */
const isGood = ({ state }: Voucher) => state === unused || state === inUse
const stateIn = ({ state: { filters } }: Table): VoucherState | undefined =>
  everyVoucherState.find(state => String(state) === filters.state)

/** The vouchers of a group, the newest first. */
export function Vouchers({ group }: { group: Group }) {
  const t = useTranslations('vouchers')
  const table = useTable()
  const state = stateIn(table)
  const input = { ...table.input, groupId: group.id, ...(state !== undefined && { filter: { state } }) }
  const call = useNetworkCall('vouchers/list', input, { live: true })
  const [selection, setSelection] = useState<string[]>([])
  const [asking, setAsking] = useState<{ what: 'delete' | 'renew' | 'print'; chosen: Voucher[] }>()
  const [mayEdit, mayPrint] = [useMay('vouchers_edit'), useMay('vouchers_print')]
  const columns = useColumns(group)
  const chosen = call.data?.result.filter(voucher => selection.includes(String(voucher.id))) ?? []
  const renewable = chosen.every(voucher => mayRenew(voucher.state))
  const close = (done: boolean) => {
    setAsking(undefined)
    if (done) setSelection([])
  }
  return (
    <>
      <StateChips table={table} counts={call.data?.counts ?? group.counts} />
      <DataTable
        id="vouchers"
        label={t('title')}
        columns={columns}
        table={table}
        call={call}
        rowKey={voucher => String(voucher.id)}
        {...((mayEdit || mayPrint) && { selection, onSelection: setSelection })}
        searchLabel={t(mayPrint ? 'detail.searchCode' : 'detail.search')}
        empty={<EmptyState icon="guests" title={t('detail.empty')} />}
      />
      <BulkBar count={chosen.length} label={t('title')} onClear={() => setSelection([])}>
        {mayPrint && (
          <Button icon="print" onClick={() => setAsking({ what: 'print', chosen })}>
            {t('print.chosen')}
          </Button>
        )}
        {mayEdit && (
          <>
            <Button
              icon="refresh"
              disabled={!renewable}
              title={renewable ? undefined : t('notRenewable')}
              onClick={() => setAsking({ what: 'renew', chosen })}
            >
              {t('renew')}
            </Button>
            <Button icon="trash" onClick={() => setAsking({ what: 'delete', chosen })}>
              {t('delete')}
            </Button>
          </>
        )}
      </BulkBar>
      {asking?.what === 'delete' && <DeleteVouchers group={group} chosen={asking.chosen} onClose={close} />}
      {asking?.what === 'print' && (
        <PrintDialog
          {...{ group, ids: asking.chosen.map(voucher => voucher.id), count: asking.chosen.filter(isGood).length }}
          onClose={() => close(false)}
        />
      )}
      {asking?.what === 'renew' && <RenewVouchers group={group} chosen={asking.chosen} onClose={close} />}
    </>
  )
}

function StateChips({ table, counts }: { table: Table; counts: Group['counts'] }) {
  const t = useTranslations('vouchers')
  const chosen = stateIn(table)
  const choose = (state: string) => table.change({ filters: { state } })
  return (
    <fieldset className="state-bar" aria-label={t('columns.state')}>
      <button type="button" aria-pressed={chosen === undefined} onClick={() => choose('')}>
        {t('all')}{' '}
        <span className="tally">
          <Count value={counts.total} />
        </span>
      </button>
      {everyVoucherState.map(state => (
        <button key={state} type="button" aria-pressed={chosen === state} onClick={() => choose(String(state))}>
          {t(`states.${stateNames[state]}`)}{' '}
          <span className="tally">
            <Count value={counts[stateNames[state]]} />
          </span>
        </button>
      ))}
    </fieldset>
  )
}

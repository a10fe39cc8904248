'use client'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { Button, IconButton } from './button'
import { Icon } from './icon'
import { Menu } from './menu'
import { pageSizes, type Table } from './use-table'

type Props = {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  onPageSize: (size: number) => void
}

/** The pager of a list, while there is anything in it. */
export const TablePager = ({ table, total = 0 }: { table: Table; total: number | undefined }) =>
  total > 0 && (
    <Pager
      page={table.state.page}
      pageSize={table.state.pageSize}
      total={total}
      onPage={page => table.change({ page })}
      onPageSize={pageSize => table.change({ pageSize })}
    />
  )

/** "1–25 of 240". Goes back to the last page there is when the list became shorter. */
export function Pager({ page, pageSize, total, onPage, onPageSize }: Props) {
  const t = useTranslations('common.pager')
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const gone = page > pages
  useEffect(() => {
    if (gone) onPage(pages)
  }, [gone, pages, onPage])
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1
  return (
    <nav className="pager" aria-label={t('label')}>
      <span>{t('range', { from, to: Math.min(total, page * pageSize), total })}</span>
      <span className="no-phone">
        <Menu
          align="start"
          trigger={
            <Button small kind="ghost">
              {t('perPage', { count: pageSize })}
              <Icon name="down" size="sm" />
            </Button>
          }
          groups={[
            {
              actions: pageSizes.map(size => ({
                label: String(size),
                checked: size === pageSize,
                onSelect: () => onPageSize(size),
              })),
            },
          ]}
        />
      </span>
      <span className="end row">
        <IconButton
          small
          icon="left"
          flip
          label={t('previous')}
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        />
        <span>{t('page', { page, pages })}</span>
        <IconButton
          small
          icon="right"
          flip
          label={t('next')}
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        />
      </span>
    </nav>
  )
}

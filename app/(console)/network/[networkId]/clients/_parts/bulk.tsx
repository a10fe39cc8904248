'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useMay } from '@/app/_api/may'
import { BlockDialog } from '@/app/_shared/clients/block'
import { IconDialog } from '@/app/_shared/clients/choose-icon'
import type { Client } from '@/app/_shared/clients/client'
import { KickDialog } from '@/app/_shared/clients/kick'
import { BulkBar } from '@/app/_ui/bulk-bar'
import { Button } from '@/app/_ui/button'

/** What the viewer may do with several clients at once. */
export function useMayBulk(): boolean {
  const mayEdit = useMay('clients_edit')
  const mayBlock = useMay('settings_firewall_edit')
  return mayEdit || mayBlock
}

/** The bar below the list while clients are chosen. */
export function ClientsBulk({ chosen, onClear }: { chosen: readonly Client[]; onClear: () => void }) {
  const t = useTranslations('clients')
  const mayEdit = useMay('clients_edit')
  const mayBlock = useMay('settings_firewall_edit')
  // As chosen then: a client that leaves meanwhile is still asked about.
  const [acting, setActing] = useState<{ what: 'kick' | 'block' | 'icon'; clients: readonly Client[] }>()
  const kickable = chosen.filter(one => one.can?.kick)
  const close = (changed: boolean) => {
    if (changed) onClear()
    setActing(undefined)
  }
  return (
    <>
      <BulkBar count={chosen.length} label={t('chosen')} onClear={onClear}>
        {mayEdit && kickable.length > 0 && (
          <Button icon="power" onClick={() => setActing({ what: 'kick', clients: kickable })}>
            {t('kick.action')}
          </Button>
        )}
        {mayEdit && (
          <Button icon="tag" onClick={() => setActing({ what: 'icon', clients: chosen })}>
            {t('icon.action')}
          </Button>
        )}
        {mayBlock && (
          <Button icon="block" onClick={() => setActing({ what: 'block', clients: chosen })}>
            {t('block.action')}
          </Button>
        )}
      </BulkBar>
      {acting?.what === 'kick' && <KickDialog clients={acting.clients} onClose={close} />}
      {acting?.what === 'icon' && <IconDialog clients={acting.clients} onClose={close} />}
      {acting?.what === 'block' && <BlockDialog clients={acting.clients} onClose={close} />}
    </>
  )
}

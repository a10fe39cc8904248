'use client'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { callApi } from '@/app/_api/client'
import { withNetwork } from '@/app/_api/use-call'
import { ActDialog } from '@/app/_shared/act-dialog'
import { ConfirmDialog } from '@/app/_ui/dialog'
import { NumberField } from '@/app/_ui/field'
import { toast } from '@/app/_ui/toast'
import { voucherStates } from '@/model/guests/voucher'
import type { Group, Voucher } from '../../_parts/rows'

/** More vouchers with the same terms. */
export function AddVouchers({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useTranslations('vouchers')
  const [quantity, setQuantity] = useState<number | undefined>(20)
  const add = async () => {
    const { added } = await callApi('vouchers/add', withNetwork({ groupId: group.id, quantity: quantity as number }))
    toast('ok', t('added', { count: added }))
  }
  return (
    <ConfirmDialog
      open
      title={t('moreTitle', { name: group.name })}
      action={t('more')}
      disabled={quantity === undefined}
      onClose={onClose}
      onConfirm={add}
    >
      {errors => (
        <NumberField
          label={t('form.quantity')}
          help={t('form.quantityHelp')}
          error={errors.quantity}
          value={quantity}
          onChange={setQuantity}
        />
      )}
    </ConfirmDialog>
  )
}

type Props = { group: Group; chosen: readonly Voucher[]; onClose: (done: boolean) => void }

export function DeleteVouchers({ group, chosen, onClose }: Props) {
  const t = useTranslations('vouchers')
  const inUse = chosen.filter(voucher => voucher.state === voucherStates.inUse).length
  return (
    <ActDialog
      call="vouchers/delete"
      input={withNetwork({ groupId: group.id, ids: chosen.map(voucher => voucher.id) })}
      done={t('deleted', { count: chosen.length })}
      danger
      onClose={onClose}
      title={t('deleteTitle', { count: chosen.length })}
      consequences={[t('deleteWhat'), ...(inUse ? [t('signedOut', { count: inUse })] : [])]}
      action={t('delete')}
    />
  )
}

export function RenewVouchers({ group, chosen, onClose }: Props) {
  const t = useTranslations('vouchers')
  return (
    <ActDialog
      call="vouchers/renew"
      input={withNetwork({ groupId: group.id, ids: chosen.map(voucher => voucher.id) })}
      done={t('renewed', { count: chosen.length })}
      onClose={onClose}
      title={t('renewTitle', { count: chosen.length })}
      consequences={[t('renewWhat'), t('renewValid', { count: group.validityDays })]}
      action={t('renew')}
    />
  )
}

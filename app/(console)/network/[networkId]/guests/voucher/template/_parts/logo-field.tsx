import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { IconButton } from '@/app/_ui/button'
import { FileField } from '@/app/_ui/file-input'
import { isLogo } from '@/model/guests/voucher-template'

/** Rule G18. */
const types = ['image/png', 'image/jpeg', 'image/bmp']
const mostBytes = 1024 * 1024
/** Pixels: sharp on paper at 300 dpi, and small to keep. */
const most = { width: 600, height: 240 }

/** The picture as a PNG of at most that size, whatever it came as; undefined where the browser cannot read it. */
async function pictureOf(file: File): Promise<string | undefined> {
  if (!types.includes(file.type) || file.size > mostBytes) return undefined
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const scale = Math.min(1, most.width / bitmap.width, most.height / bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const address = canvas.toDataURL('image/png')
  return isLogo(address) ? address : undefined
}

/** A picture of the page's own making, as large as its place. */
export function Logo({ address }: { address: string }) {
  const label = useTranslations('vouchers.templates')('logo')
  return (
    <span className="template-picture" role="img" aria-label={label} style={{ backgroundImage: `url(${address})` }} />
  )
}

type Props = { value: string; error: string | undefined; onChange: (logo: string) => void }

export function LogoField({ value, error, onChange }: Props) {
  const t = useTranslations('vouchers.templates')
  const [wrong, setWrong] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file) return
    const picture = await pictureOf(file)
    setWrong(picture === undefined)
    if (picture !== undefined) onChange(picture)
  }
  return (
    <>
      <FileField
        label={t('logo')}
        help={t('logoHelp')}
        optional
        accept={types.join(',')}
        error={wrong ? t('logoWrong') : error}
        onFile={file => void take(file)}
      />
      {value !== '' && (
        <span className="template-logo">
          <Logo address={value} />
          <IconButton icon="close" kind="ghost" label={t('logoRemove')} onClick={() => onChange('')} />
        </span>
      )}
    </>
  )
}

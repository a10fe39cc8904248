import { useState } from 'react'
import { download } from '@/app/_api/download'
import { Button, type ButtonProps } from './button'

/** Downloads what a GET call at `address` gives. */
export function DownloadButton({ address, ...props }: ButtonProps & { address: string }) {
  const [busy, setBusy] = useState(false)
  const get = async () => {
    setBusy(true)
    await download(address)
    setBusy(false)
  }
  return <Button icon="download" busy={busy} onClick={() => void get()} {...props} />
}

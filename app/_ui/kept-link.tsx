'use client'
import type { ComponentProps } from 'react'
import { useKeptAddress } from './kept-view'
import { Link } from './link'

/** A way to a page as it was left: its filters, sort, page and tab come back. */
export const KeptLink = ({ href, ...props }: ComponentProps<typeof Link> & { href: string }) => (
  <Link href={useKeptAddress(href)} {...props} />
)

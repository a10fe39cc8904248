'use client'
import type { ComponentProps } from 'react'
import { useMay } from '@/app/_api/may'
import { Link } from '@/app/_ui/link'
import type { Authority } from '@/model/authority'

type Props = Pick<ComponentProps<typeof Link>, 'href' | 'className' | 'children'> & { needs: Authority }

/** A way to a screen, for whoever may open it; others read its words. */
export function ScreenLink({ needs, children, className, href }: Props) {
  if (!useMay(needs)) return <span className={className}>{children}</span>
  return (
    <Link href={href} className={className}>
      {children}
    </Link>
  )
}

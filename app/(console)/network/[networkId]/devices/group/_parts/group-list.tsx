'use client'
import { useTranslations } from 'next-intl'
import { Icon } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { Badge } from '@/app/_ui/status'
import { useGroupPath } from '../../_parts/use-group-path'
import type { GroupNode } from './rows'
import './group-list.css'

/** Groups as a tree of links. */
export function GroupList({ nodes, active }: { nodes: readonly GroupNode[]; active: number | undefined }) {
  const t = useTranslations('devices.group')
  const path = useGroupPath()
  return (
    <ul className="groups">
      {nodes.map(node => (
        <li key={node.id}>
          <Link href={`${path.form}?id=${node.id}`} aria-current={node.id === active ? 'page' : undefined}>
            <Icon name="folder" size="sm" />
            <span className="truncated">{node.name}</span>
            {node.isDefault && <Badge>{t('isDefault')}</Badge>}
          </Link>
          {node.children.length > 0 && <GroupList nodes={node.children} active={active} />}
        </li>
      ))}
    </ul>
  )
}

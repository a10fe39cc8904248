'use client'
import { useTranslations } from 'next-intl'
import { wordOr } from '@/app/_i18n/word'
import { Button, LinkButton } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { Icon, iconOf } from '@/app/_ui/icon'
import { Link } from '@/app/_ui/link'
import { PageHead } from '@/app/_ui/page-head'
import { type StateName, Status } from '@/app/_ui/status'
import { goKeys } from '@/app/(console)/_shell/menu-tree'
import { useTour } from '@/app/(console)/_shell/tour'
import type { Authority } from '@/model/authority'
import type { MenuItem } from '@/server/people/access/menu'
import { type ManagerFacts, ThisManager } from './this-manager'
import './help.css'

type Props = { menus: readonly MenuItem[]; manager: ManagerFacts; authorities: readonly Authority[] }

/** Help that needs no internet: where things are, what marks mean, what to do when something is wrong. */
export function HelpPage({ menus, manager, authorities }: Props) {
  const t = useTranslations('help')
  const tour = useTour()
  return (
    <>
      <PageHead title={t('title')} sub={t('sub')}>
        <Button onClick={tour}>{t('tour')}</Button>
        <LinkButton href="/account/guide">{t('toGuide')}</LinkButton>
      </PageHead>
      <div className="help-page">
        <div className="stack">
          <Where menus={menus} />
          <Answers />
          <CommandLine />
        </div>
        <div className="stack">
          <Shortcuts menus={menus} />
          <Marks />
          <ThisManager facts={manager} support={authorities.includes('organization_manager_edit')} />
        </div>
      </div>
    </>
  )
}

/** The screens that this person has, each with what is done there. */
function Where({ menus }: { menus: readonly MenuItem[] }) {
  const t = useTranslations('help.where')
  const names = useTranslations('menu')
  const screens = menus.flatMap(item => {
    const about = wordOr(t, `screens.${item.menuId}`, '')
    return item.hidden || !about ? [] : [{ ...item, about }]
  })
  return (
    <Card title={t('title')}>
      <ul className="help-list">
        {screens.map(item => (
          <li key={item.menuId}>
            <Icon name={iconOf(item.icon, 'file')} />
            <span>
              <Link href={item.path}>{names(item.name)}</Link>
              <span className="soft">{item.about}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const questions = [
  'notFound',
  'login',
  'hostKey',
  'reverted',
  'drift',
  'certificate',
  'password',
  'factor',
  'mail',
  'restore',
  'update',
] as const

function Answers() {
  const t = useTranslations('help.answers')
  return (
    <Card title={t('title')}>
      {questions.map(id => (
        <details key={id} className="help-answer">
          <summary>{t(`${id}.question`)}</summary>
          <p className="soft">{t(`${id}.answer`)}</p>
        </details>
      ))}
    </Card>
  )
}

const commands = [
  'status',
  'backup',
  'verify NAME',
  'restore NAME',
  'unlock ACCOUNT',
  'reset-password ACCOUNT',
] as const
const wordOf = (command: string) => command.split(' ')[0] as 'status'

function CommandLine() {
  const t = useTranslations('help.commands')
  return (
    <Card title={t('title')} pad>
      <div className="stack">
        <p className="soft">{t('help')}</p>
        <dl className="help-commands">
          {commands.map(command => (
            <div key={command}>
              <dt>
                <code>lanward {command}</code>
              </dt>
              <dd className="soft">{t(`list.${wordOf(command)}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  )
}

const general = [
  ['search', ['Ctrl', 'K']],
  ['find', ['/']],
  ['help', ['?']],
  ['save', ['Ctrl', 'S']],
  ['close', ['Esc']],
] as const

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="row">
      {keys.map(key => (
        <kbd key={key} className="key-cap">
          {key}
        </kbd>
      ))}
    </span>
  )
}

function Shortcuts({ menus }: { menus: readonly MenuItem[] }) {
  const t = useTranslations('help.keys')
  const names = useTranslations('menu')
  const screens = menus.flatMap(item => {
    const key = goKeys[item.menuId]
    return key ? [{ key, name: names(item.name) }] : []
  })
  return (
    <Card title={t('title')} pad>
      <dl className="help-keys">
        {general.map(([id, keys]) => (
          <div key={id}>
            <dt>{t(id)}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
        {screens.map(({ key, name }) => (
          <div key={key}>
            <dt>{t('go', { name })}</dt>
            <dd>
              <Keys keys={['g', key]} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const marks: readonly StateName[] = [
  'modified',
  'confirmed',
  'reverted',
  'drifted',
  'offline',
  'stale',
  'unknown',
  'unsupported',
]

/** What the shapes of states say. */
function Marks() {
  const t = useTranslations('help.marks')
  return (
    <Card title={t('title')} pad>
      <dl className="help-keys marks">
        {marks.map(state => (
          <div key={state}>
            <dt>
              <Status state={state}>{t(`${state as 'modified'}.name`)}</Status>
            </dt>
            <dd className="soft">{t(`${state as 'modified'}.text`)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

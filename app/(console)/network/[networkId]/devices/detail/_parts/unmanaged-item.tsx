'use client'
import { useParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Button, LinkButton } from '@/app/_ui/button'
import { Check, CheckLine } from '@/app/_ui/check'
import { useClock } from '@/app/_ui/clock'
import { Icon, type IconName } from '@/app/_ui/icon'
import { Badge } from '@/app/_ui/status'
import { reviewPath } from './configuration'
import {
  type Chosen,
  chosenKey,
  type Item,
  type ItemOption,
  inLine,
  isImported,
  useOptionName,
  useWhyUnmanaged,
} from './import-words'

const icons: Record<Item['area'], IconName> = {
  network: 'link',
  dhcp: 'networks',
  wireless: 'wifi',
  firewall: 'firewall',
  system: 'settings',
  access: 'key',
  other: 'file',
}

type Props = {
  item: Item
  /** What may be chosen of it. */
  open: ItemOption[]
  chosen: Chosen
  onChosen: (chosen: Chosen) => void
  onRelease?: () => void
}

/** One thing on the device: what it is and why, a box for each option, and the device's own words folded. */
export function UnmanagedItem({ item, open, chosen, onChosen, onRelease }: Props) {
  const t = useTranslations('import')
  const why = useWhyUnmanaged()
  const put = (keys: string[], on: boolean) => {
    const next = new Set(chosen)
    for (const key of keys) on ? next.add(key) : next.delete(key)
    onChosen(next)
  }
  const keys = open.map(option => chosenKey(item, option))
  const some = keys.filter(key => chosen.has(key)).length
  return (
    <fieldset className="on-device-item" aria-label={item.label}>
      <div className="on-device-head">
        {keys.length > 1 ? (
          <Check
            checked={some === keys.length || (some > 0 && 'indeterminate')}
            onChange={on => put(keys, on)}
            aria-label={t('page.all', { label: item.label })}
          />
        ) : (
          <Icon name={icons[item.area]} />
        )}
        <span className="grow">
          <b className="medium">
            <bdi>{item.label}</bdi>
          </b>{' '}
          <span className="muted fine-print">{t(`areas.${item.area}`)} · </span>
          <span className="muted fine-print">{why(item.why)}</span>
        </span>
        {isImported(item) && <Ownership item={item} {...(onRelease && { onRelease })} />}
      </div>
      <ul className="on-device-options">
        {item.options
          .filter(one => one.kind !== undefined || one.imported || one.why !== undefined)
          .map(one => (
            <li key={one.option}>
              <Option
                item={item}
                option={one}
                checked={chosen.has(chosenKey(item, one))}
                {...(open.includes(one) && { onChange: on => put([chosenKey(item, one)], on) })}
              />
            </li>
          ))}
      </ul>
      <OwnWords item={item} />
    </fieldset>
  )
}

type OptionProps = { item: Item; option: ItemOption; checked: boolean; onChange?: (on: boolean) => void }

function Option({ item, option, checked, onChange }: OptionProps) {
  const t = useTranslations('import.page')
  const name = useOptionName()
  const why = useWhyUnmanaged()
  const words = (
    <>
      {name(option)} <span className="ip muted">{option.value === undefined ? t('notSet') : inLine(option.value)}</span>
      {option.imported && option.former !== undefined && option.former !== option.value && (
        <span className="ip muted block fine-print">{t('was', { value: inLine(option.former) })}</span>
      )}
      {option.why && !option.imported && <span className="muted block fine-print">{why(option.why)}</span>}
      {option.releasing && <span className="muted block fine-print">{t('releasing')}</span>}
    </>
  )
  if (onChange)
    return (
      <CheckLine checked={checked} onChange={onChange} aria-label={`${item.label}, ${name(option)}`}>
        {words}
      </CheckLine>
    )
  return <span className="on-device-plain">{words}</span>
}

function Ownership({ item, onRelease }: { item: Item; onRelease?: () => void }) {
  const t = useTranslations('import.page')
  const clock = useClock()
  const { networkId } = useParams<{ networkId: string }>()
  if (item.releasing)
    return (
      <span className="row wrapping">
        <Badge state="modified">{t('releasing')}</Badge>
        <LinkButton small href={reviewPath(networkId)}>
          {t('review')}
        </LinkButton>
      </span>
    )
  return (
    <span className="row wrapping">
      {item.by && item.importedAt !== undefined && (
        <span className="muted fine-print">{t('by', { by: item.by, at: clock.dateTime(item.importedAt) })}</span>
      )}
      {onRelease && (
        <Button small icon="undo" onClick={onRelease}>
          {t('release')}
        </Button>
      )}
    </span>
  )
}

/** Everything of it as the device writes it. */
function OwnWords({ item }: { item: Item }) {
  const t = useTranslations('import.page')
  return (
    <details className="on-device-own">
      <summary>{t('ownWords')}</summary>
      <div className="on-device-id">{item.id}</div>
      <dl className="on-device-words">
        {item.options.map(({ option, value }) => (
          <div key={option}>
            <dt>{option}</dt>
            <dd>{value ?? ''}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

'use client'
import { useTranslations } from 'next-intl'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { portRows, portStep } from '@/app/_ui/port-rows'
import { Glyph } from '@/app/_ui/status'
import './front-panel.css'

/** `full`: 1 Gbps or more. `slow`: below. `none`: no link. `off`: disabled. `errors`: link with errors. */
export type PortLook = 'full' | 'slow' | 'none' | 'off' | 'errors' | 'unknown'
export type PanelPort = {
  key: string
  number: number
  label: string
  look: PortLook
  /** Bolt: the port delivers power, or refuses to. */
  poe?: 'on' | 'fault'
  uplink?: boolean
  fibre?: boolean
  /** What is said of the port in a word: "1 Gbps", "No link". */
  word: string
}

const classes: Record<PortLook, string> = {
  full: 'full',
  slow: 'half',
  none: 'dark',
  off: 'shut',
  errors: 'errors',
  unknown: 'unread',
}
const bolt = 'M6 .5 1.500 6.800h3L3.800 11.500 8.500 5h-3.100z'

type Props = {
  name: ReactNode
  model?: ReactNode
  ports: readonly PanelPort[]
  /** What the card at a port says. */
  card: (port: PanelPort) => ReactNode
  /** Enter or a click on a port. */
  onOpen?: (port: PanelPort) => void
}

/** The ports of a device drawn like its front: dark and left to right in every theme and language. */
export function FrontPanel({ name, model, ports, card, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<{ key: string; left: number }>()
  const copper = ports.filter(port => !port.fibre)
  const fibre = ports.filter(port => port.fibre)
  const order = [...copper, ...fibre]
  const shown = ports.find(port => port.key === open?.key)
  const show = (port: PanelPort, button: HTMLElement) => {
    const outer = box.current?.getBoundingClientRect()
    const own = button.getBoundingClientRect()
    const left = own.left + own.width / 2 - (outer?.left ?? 0)
    setOpen({ key: port.key, left: Math.max(160, Math.min(left, (outer?.width ?? 320) - 160)) })
  }
  const walk = (event: KeyboardEvent, port: PanelPort) => {
    if (event.key === 'Escape') setOpen(undefined)
    const step = portStep(event.key, copper)
    if (!step) return
    event.preventDefault()
    const next = order[order.indexOf(port) + step]
    if (next) buttonOf(box.current, next)?.focus()
  }
  const draw = (port: PanelPort) => (
    <PortButton
      key={port.key}
      port={port}
      open={port.key === open?.key}
      onShow={button => show(port, button)}
      onHide={() => setOpen(undefined)}
      onKey={event => walk(event, port)}
      onOpen={() => onOpen?.(port)}
    />
  )
  return (
    <div className="panel" ref={box}>
      <Legend ports={ports} />
      <div className="front-panel">
        <div className="panel-name">
          <b>{name}</b>
          {model}
        </div>
        {[copper, fibre].map(
          (block, at) =>
            block.length > 0 && (
              <div key={at === 0 ? 'copper' : 'fibre'} className={at === 1 ? 'port-block fibre' : 'port-block'}>
                {portRows(block).map((row, line) => (
                  <div
                    key={row[0]?.key}
                    className={line === 0 && portRows(block).length > 1 ? 'port-row upper' : 'port-row'}
                  >
                    {row.map(draw)}
                  </div>
                ))}
              </div>
            ),
        )}
      </div>
      {shown && (
        <div className="popover port-card at-port" style={{ left: open?.left }}>
          {card(shown)}
        </div>
      )}
    </div>
  )
}

// Compared, not selected by: a device's own key may hold any character.
const buttonOf = (box: HTMLElement | null, port: PanelPort) =>
  [...(box?.querySelectorAll<HTMLElement>('[data-port]') ?? [])].find(button => button.dataset.port === port.key)

type ButtonProps = {
  port: PanelPort
  open: boolean
  onShow: (button: HTMLElement) => void
  onHide: () => void
  onKey: (event: KeyboardEvent) => void
  onOpen: () => void
}

function PortButton({ port, open, onShow, onHide, onKey, onOpen }: ButtonProps) {
  const t = useTranslations('common.panel')
  const words = [t('port', { number: port.number }), port.word, port.poe && t(`poe.${port.poe}`)].filter(Boolean)
  return (
    <button
      type="button"
      data-port={port.key}
      className={['port', classes[port.look], port.uplink && 'up', port.fibre && 'sfp'].filter(Boolean).join(' ')}
      aria-label={words.join(', ')}
      aria-expanded={open}
      onPointerEnter={event => onShow(event.currentTarget)}
      onPointerLeave={onHide}
      onFocus={event => onShow(event.currentTarget)}
      onBlur={onHide}
      onKeyDown={onKey}
      onClick={onOpen}
    >
      <span className="jack">
        <i className="led">{port.look === 'unknown' ? '?' : null}</i>
        {port.poe && (
          <svg className={port.poe === 'fault' ? 'poe fault' : 'poe'} viewBox="0 0 10 12" aria-hidden="true">
            <path
              d={bolt}
              fill={port.poe === 'fault' ? 'none' : 'currentColor'}
              stroke={port.poe === 'fault' ? 'currentColor' : 'none'}
            />
          </svg>
        )}
      </span>
      <span className="port-number">{port.number}</span>
    </button>
  )
}

const legend = {
  full: 'square-full',
  slow: 'square-half',
  none: '',
  off: 'square-shut',
  unknown: 'square-unread',
} as const

/** Only what is on the panel. */
function Legend({ ports }: { ports: readonly PanelPort[] }) {
  const t = useTranslations('common.panel')
  const has = (look: PortLook) => ports.some(port => port.look === look)
  return (
    <div className="port-legend">
      {(Object.keys(legend) as (keyof typeof legend)[]).filter(has).map(look => (
        <span key={look}>
          <i className={`square ${legend[look]}`} />
          {t(look)}
        </span>
      ))}
      {has('errors') && (
        <span className="status bad">
          <Glyph shape="triangle" />
          {t('errors')}
        </span>
      )}
      {ports.some(port => port.poe === 'on') && (
        <span>
          <svg viewBox="0 0 10 12" width="9" height="11" style={{ color: 'var(--warning)' }} aria-hidden="true">
            <path d={bolt} fill="currentColor" />
          </svg>
          {t('poe.on')}
        </span>
      )}
    </div>
  )
}

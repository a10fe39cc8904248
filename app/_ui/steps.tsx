import { Icon } from './icon'

export type Step = { id: string; label: string; note?: string }

/** Where a person stands in a guided task: the steps before are done. */
export function Steps({ steps, current, label }: { steps: readonly Step[]; current: string; label: string }) {
  const at = steps.findIndex(step => step.id === current)
  return (
    <nav aria-label={label}>
      <ol className="steps">
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={index < at ? 'done' : index === at ? 'on' : ''}
            aria-current={index === at ? 'step' : undefined}
          >
            <span className="step-dot">{index < at ? <Icon name="check" /> : index + 1}</span>
            <span>
              {step.label}
              {step.note && <small>{step.note}</small>}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  )
}

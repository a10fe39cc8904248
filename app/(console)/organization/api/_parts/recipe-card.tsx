import type { ReactNode } from 'react'
import { Button } from '@/app/_ui/button'
import { useCopy } from '@/app/_ui/copy'

type Props = { title: string; copy: string; help: string; recipe: string; children?: ReactNode }

/** Lines to copy into another program, and what they are for. */
export function RecipeCard({ title, copy: action, help, recipe, children }: Props) {
  const copy = useCopy()
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="end">
          <Button small kind="ghost" icon="copy" onClick={() => void copy(recipe)}>
            {action}
          </Button>
        </span>
      </header>
      <div className="padded call-more" style={{ paddingBlockStart: 14 }}>
        <p className="soft">{help}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, by the keyboard, too. */}
        <pre dir="ltr" tabIndex={0}>
          {recipe}
        </pre>
        {children}
      </div>
    </section>
  )
}

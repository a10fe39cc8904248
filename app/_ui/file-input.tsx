'use client'
import { type ComponentProps, useRef } from 'react'
import { Button } from './button'
import { Field, type FieldFrame } from './field'

type Chooses = { accept: string }

/** A file as a field. Choosing the same file again counts: it may have been mended. */
export function FileField({
  accept,
  onFile,
  ...frame
}: FieldFrame & Chooses & { onFile: (file: File | undefined) => void }) {
  return (
    <Field {...frame}>
      {wired => (
        <input
          {...wired}
          type="file"
          accept={accept}
          onClick={event => {
            event.currentTarget.value = ''
          }}
          onChange={event => onFile(event.target.files?.[0])}
        />
      )}
    </Field>
  )
}

type FileButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'> &
  Chooses & { label: string; onFile: (file: File) => void }

/** A button that asks for a file. `label` names it where the button's text tells how far the file is. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        aria-label={label}
        onChange={event => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button icon="upload" {...button} onClick={() => input.current?.click()} />
    </>
  )
}

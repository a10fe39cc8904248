import { isAbout, type Rendered, type Renderer, type RenderInput, readsToo } from './driver'

type Made = { input: RenderInput; rendered: Rendered }
const last = new WeakMap<Renderer, Made>()

const sameList = (a: readonly unknown[] = [], b: readonly unknown[] = []) =>
  a.length === b.length && a.every((one, at) => one === b[at])

const same = (a: RenderInput, b: RenderInput) =>
  a.facts === b.facts &&
  a.observation === b.observation &&
  a.confirmSeconds === b.confirmSeconds &&
  a.gate?.url === b.gate?.url &&
  a.gate?.key === b.gate?.key &&
  sameList(a.documents, b.documents) &&
  sameList(a.imported, b.imported)

/**
 * What a renderer makes of a plan's documents: its own kinds and those it reads. Renderers ask it of each other, and
 * within one plan each works once. Nobody changes what it returns.
 */
export function renderOnce(renderer: Renderer, whole: RenderInput): Rendered {
  const isShown = ({ kind }: { kind: string }) => isAbout(renderer, kind) || readsToo(renderer, kind)
  const input = { ...whole, documents: whole.documents.filter(isShown) }
  const held = last.get(renderer)
  if (held && same(held.input, input)) return held.rendered
  const rendered = renderer.render(input)
  last.set(renderer, { input, rendered })
  return rendered
}

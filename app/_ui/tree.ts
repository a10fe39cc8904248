import { matching } from './listbox'

export type TreeNode = { id: number; name: string; children: readonly TreeNode[] }

/** One line of a drawn tree. `open`: undefined where there is nothing below. `parent`: its line's id. */
export type TreeLine = { node: TreeNode; level: number; open: boolean | undefined; parent: number | undefined }

/** Every node of a tree, each before what is below it. */
export const everyNode = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap(node => [node, ...everyNode(node.children)])

/**
 * The lines to draw, top level 1. Without a search what is below a closed node is left out; with one, what matches by
 * its name, with the way to it, all open.
 */
export function treeLines(nodes: readonly TreeNode[], closed: ReadonlySet<number>, typed: string): TreeLine[] {
  const searched = typed.trim() !== ''
  const hits = (node: TreeNode) => matching([{ value: '', label: node.name }], typed).length > 0
  const draw = (some: readonly TreeNode[], level: number, parent: number | undefined): TreeLine[] =>
    some.flatMap(node => {
      const below = draw(node.children, level + 1, node.id)
      if (searched && below.length === 0 && !hits(node)) return []
      const open = below.length > 0 ? searched || !closed.has(node.id) : undefined
      return [{ node, level, open, parent }, ...(open ? below : [])]
    })
  return draw(nodes, 1, undefined)
}

type TreeStep = { to: number } | { turn: number; open: boolean }

/** What an arrow key does on a line (WAI-ARIA tree view): goes to another one, or opens or closes it. */
export function treeStep(key: string, lines: readonly TreeLine[], at: number): TreeStep | undefined {
  const line = lines[at]
  if (!line) return undefined
  const to = (place: number) => ({ to: lines[Math.max(0, Math.min(lines.length - 1, place))]?.node.id ?? line.node.id })
  if (key === 'ArrowDown') return to(at + 1)
  if (key === 'ArrowUp') return to(at - 1)
  if (key === 'ArrowRight')
    return line.open === false ? { turn: line.node.id, open: true } : to(line.open ? at + 1 : at)
  if (key === 'ArrowLeft') return line.open ? { turn: line.node.id, open: false } : { to: line.parent ?? line.node.id }
  return undefined
}

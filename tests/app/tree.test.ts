// Device groups as a tree that is searched.
import { everyNode, type TreeNode, treeLines, treeStep } from '@/app/_ui/tree'

const node = (id: number, name: string, ...children: TreeNode[]): TreeNode => ({ id, name, children })
const tree = [node(1, 'House', node(2, 'Café', node(3, 'Bar')), node(4, 'Attic')), node(5, 'Barn')]
const drawn = (closed: number[], typed: string) =>
  treeLines(tree, new Set(closed), typed).map(({ node: { name }, level, open }) => [name, level, open])

test('what is below a closed group is not drawn', () => {
  expect(drawn([2], '')).toEqual([
    ['House', 1, true],
    ['Café', 2, false],
    ['Attic', 2, undefined],
    ['Barn', 1, undefined],
  ])
})

test('a search draws what matches with the way to it, whatever is closed and whatever the accents', () => {
  expect(drawn([1, 2], 'bar')).toEqual([
    ['House', 1, true],
    ['Café', 2, true],
    ['Bar', 3, undefined],
    ['Barn', 1, undefined],
  ])
  expect(drawn([1], 'cafe')).toEqual([
    ['House', 1, true],
    ['Café', 2, undefined],
  ])
  expect(drawn([], 'none')).toEqual([])
})

test('each line knows the group above it', () => {
  expect(treeLines(tree, new Set(), '').map(line => line.parent)).toEqual([undefined, 1, 2, 1, undefined])
  expect(everyNode(tree).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
})

test.each([
  ['ArrowDown', 1, { to: 2 }],
  ['ArrowDown', 5, { to: 5 }],
  ['ArrowUp', 1, { to: 1 }],
  ['ArrowRight', 1, { to: 2 }],
  ['ArrowRight', 3, { to: 3 }],
  ['ArrowLeft', 2, { turn: 2, open: false }],
  ['ArrowLeft', 3, { to: 2 }],
  ['ArrowLeft', 5, { to: 5 }],
  ['a', 1, undefined],
])('%s on %i: %j', (key, on, step) => {
  const lines = treeLines(tree, new Set(), '')
  const at = lines.findIndex(line => line.node.id === on)
  expect(treeStep(key, lines, at)).toEqual(step)
})

test('right opens what is closed', () => {
  expect(treeStep('ArrowRight', treeLines(tree, new Set([1]), ''), 0)).toEqual({ turn: 1, open: true })
})

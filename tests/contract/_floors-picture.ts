const begin = '<!-- floors: begin (made by tests/contract/draw-floors.ts) -->'
const end = '<!-- floors: end -->'
const widest = 92

/** Rooms of one floor beside each other, from the ground up as in the list: `people/accounts` is of the floor `people`. */
function floorsOf(rooms: readonly string[]): { name: string; rooms: string[] }[] {
  const floors: { name: string; rooms: string[] }[] = []
  for (const path of rooms) {
    const [name = '', room] = path.split('/')
    const last = floors.at(-1)
    if (last?.name === name && room) last.rooms.push(room)
    else floors.push({ name, rooms: room ? [room] : [] })
  }
  return floors
}

/** Words in lines that are no longer than `width`. */
function wrapped(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && `${last}  ${word}`.length <= width) lines[lines.length - 1] = `${last}  ${word}`
    else lines.push(word)
  }
  return lines.length ? lines : ['']
}

/** The floors as lines of text, the ground at the bottom; in a floor each room imports only what stands left of it. */
export function floorsPicture(rooms: readonly string[]): string {
  const floors = floorsOf(rooms)
  const indent = Math.max(...floors.map(({ name }) => name.length)) + 3
  const lines = floors.toReversed().flatMap(floor => {
    const [first = '', ...more] = wrapped(floor.rooms, widest - indent)
    return [`${floor.name.padEnd(indent)}${first}`.trimEnd(), ...more.map(line => `${' '.repeat(indent)}${line}`)]
  })
  return ['```text', ...lines, '```'].join('\n')
}

/** The document with the picture of these rooms between its two marks. Throws where a mark is missing. */
export function withPicture(document: string, rooms: readonly string[]): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error('the document has no marks for the picture of the floors')
  return `${document.slice(0, from)}${begin}\n${floorsPicture(rooms)}\n${document.slice(to)}`
}

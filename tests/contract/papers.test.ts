import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withPicture } from './_floors-picture'
import { rooms } from './_rooms'
import { filesUnder, readText } from './_tree'

const papers = [
  ...readdirSync(process.cwd()).filter(name => name.endsWith('.md')),
  ...filesUnder('docs', /\.md$/),
  ...filesUnder('.github', /\.md$/),
]

/** What stands in a paper as code: between backticks, and the lines of fenced blocks. */
const codeOf = (text: string): string[] =>
  [...text.matchAll(/^```\w*\n([\s\S]*?)^```|`([^`\n]+)`/gm)].map(([, block, span]) => block ?? span ?? '')

/** Made by whoever runs it, so not in the repository. */
const ownFiles: ReadonlySet<string> = new Set(['appliance/lanward.conf'])
const ours = /^(?:app|model|server|db|appliance|tests|locales|docs|\.ci|\.github)\//

/** Repository paths that a paper names. Of one with a place to fill in (`model/<area>/`) what stands before it. */
const pathsIn = (text: string): string[] =>
  codeOf(text)
    .flatMap(code => code.split(/\s+/))
    .filter(word => ours.test(word))
    .map(word => word.replace(/[<*{…].*$/, '').replace(/[.,:;]+$/, ''))

/** As GitHub makes them: lower case, blanks to hyphens, other marks left out. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')
const anchorsIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** Targets of a paper's links to other files and places here. */
const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))

function leads(paper: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? paper : join(dirname(paper), file)
  if (!existsSync(path)) return false
  return anchor === undefined || (path.endsWith('.md') && anchorsIn(readText(path)).includes(anchor))
}

test('there are papers to look at', () => {
  expect(papers).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/rules.md']))
  expect(papers.flatMap(paper => pathsIn(readText(paper))).length).toBeGreaterThan(20)
  expect(papers.flatMap(paper => linksIn(readText(paper))).length).toBeGreaterThan(20)
})

test('every path of the repository that a paper names is there', () => {
  const wrong = papers.flatMap(paper =>
    pathsIn(readText(paper))
      .filter(path => !ownFiles.has(path) && !existsSync(path))
      .map(path => `${paper}: ${path}`),
  )
  expect([...new Set(wrong)]).toEqual([])
})

test('every link between papers leads somewhere', () => {
  const wrong = papers.flatMap(paper =>
    linksIn(readText(paper))
      .filter(target => !leads(paper, target))
      .map(target => `${paper}: ${target}`),
  )
  expect(wrong).toEqual([])
})

test('the picture of the floors is of the list of rooms; else run tests/contract/draw-floors.ts', () => {
  const text = readText('ARCHITECTURE.md')
  expect(text).toBe(withPicture(text, rooms))
})

/** “Rules W2 and W3” of a comment; `rule: 'W6'` and `f.text(48, 'G3')` beside a field. */
const cited = /\b[Rr]ules? ([A-Z]\d{1,2}(?:(?:,? and |, |\/)[A-Z]\d{1,2})*)|(?:\brule: |, )'([A-Z]\d{1,2})'/g

test('every rule that the code cites stands in docs/rules.md', () => {
  const known = new Set([...readText('docs/rules.md').matchAll(/^\| ([A-Z]\d{1,2}) +\|/gm)].map(([, id]) => id))
  const files = ['model', 'server', 'app'].flatMap(floor => filesUnder(floor, /\.tsx?$/))
  const found = files.flatMap(path =>
    [...readText(path).matchAll(cited)]
      .flatMap(([, list = '', single = '']) => [...list.matchAll(/[A-Z]\d{1,2}/g)].map(String).concat(single))
      .filter(id => id !== '' && !known.has(id))
      .map(id => `${path}: ${id}`),
  )
  expect(known.size).toBeGreaterThan(50)
  expect(found).toEqual([])
})

import { filesUnder, readText } from './_tree'

// A link opens a page by what that page reads from its address.

const sources = filesUnder('app', /\.tsx?$/)
const links = sources.flatMap(path =>
  [...readText(path).matchAll(/([a-z]+\/detail)\?([a-zA-Z]+)=/g)].map(
    ([, page = '', key = '']) => [path, page, key] as const,
  ),
)

test('links to the page of one thing name it as that page asks for it', () => {
  const pageOf = (page: string) => sources.find(path => path.endsWith(`/${page}/page.tsx`)) ?? ''
  const wrong = links.filter(([, page, key]) => !new RegExp(`\\b${key}\\?: string`).test(readText(pageOf(page))))
  expect(wrong).toEqual([])
  expect(new Set(links.map(([, page]) => page))).toContain('clients/detail')
})

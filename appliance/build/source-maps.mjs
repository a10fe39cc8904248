import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const withoutSources = ({ sourcesContent, sections, ...map }) => ({
  ...map,
  ...(sections && { sections: sections.map(({ map: part, ...at }) => ({ ...at, map: withoutSources(part) })) }),
})

/**
 * Takes the sources' texts out of the source maps under a folder: stack traces need files and lines alone.
 */
export function slimMaps(folder) {
  const maps = readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.js.map'))
  for (const file of maps.map(name => `${folder}/${name}`))
    writeFileSync(file, JSON.stringify(withoutSources(JSON.parse(readFileSync(file, 'utf8')))))
}

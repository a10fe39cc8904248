// The licences of all that goes out with the manager, with their texts: what the packages themselves say, from this disk.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { shippedPackages } from './shipped.mjs'

const textFile = /^(licen[cs]es?|copying|notice|unlicense)([._-].*)?$/i

/** All texts of a folder that are licences or notices, one after the other; '' where there are none. */
const textIn = folder =>
  readdirSync(folder)
    .filter(name => textFile.test(name) && statSync(`${folder}/${name}`).isFile())
    .sort()
    .map(name => readFileSync(`${folder}/${name}`, 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n')

/** The SPDX expression; older packages have an object, or several. */
function licenceOf({ license, licenses }) {
  const said = [license ?? licenses ?? []].flat().map(one => (typeof one === 'string' ? one : one.type))
  return said.filter(Boolean).join(' OR ')
}

/** For a package that names its licence and brings no text: the licence's own, with whom the package names. */
function standardText(root, licence, { name, author }) {
  const holder = (typeof author === 'string' ? author : author?.name) || `the authors of ${name}`
  const own = ['BSD-2-Clause', 'ISC', 'MIT'].includes(licence) && `licences/${licence}.txt`
  const file = own || (licence === 'Apache-2.0' && '../../LICENSE')
  if (!file) throw new Error(`${name} is under ${licence || 'no licence'} and brings no text of it`)
  const text = readFileSync(`${root}/appliance/build/${file}`, 'utf8').trim()
  return licence === 'Apache-2.0' ? text : `Copyright (c) ${holder}\n\n${text}`
}

function entryOf(root, path) {
  const about = JSON.parse(readFileSync(`${root}/${path}/package.json`, 'utf8'))
  const licence = licenceOf(about)
  const text = textIn(`${root}/${path}`) || standardText(root, licence, about)
  return { name: about.name, version: about.version ?? '', licence, text }
}

/** Packages that Next carries inside itself; what brings no text is one of the list, or Next's own. */
function insideNext(root) {
  const compiled = 'node_modules/next/dist/compiled'
  const folders = readdirSync(`${root}/${compiled}`).flatMap(name =>
    name.startsWith('@') ? readdirSync(`${root}/${compiled}/${name}`).map(inner => `${name}/${inner}`) : [name],
  )
  return folders.flatMap(name => {
    const folder = `${root}/${compiled}/${name}`
    const text = statSync(folder).isDirectory() ? textIn(folder) : ''
    const about = statSync(`${folder}/package.json`, { throwIfNoEntry: false })
    const licence = about ? licenceOf(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))) : ''
    return text ? [{ name: `next › ${name}`, version: '', licence, text }] : []
  })
}

/** The folder above a Node that was unpacked or installed whole has its licence; a distribution's is its own. */
function node(root) {
  const found = [`${dirname(dirname(process.execPath))}/LICENSE`, '/usr/share/doc/nodejs/copyright'].find(file =>
    statSync(file, { throwIfNoEntry: false }),
  )
  const about = { name: 'Node.js', author: 'Node.js contributors' }
  const text = found ? readFileSync(found, 'utf8').trim() : standardText(root, 'MIT', about)
  return { name: 'Node.js', version: process.versions.node, licence: 'MIT', text }
}

/** `{packages: {name, version, licence, text}[], texts: string[]}`, by name; `text` counts in `texts`, each there once. */
export function collectLicences(root) {
  const font = readFileSync(`${root}/app/_fonts/LICENSE-inter.txt`, 'utf8').trim()
  const all = [
    ...[...shippedPackages(root), 'node_modules/tailwindcss'].map(path => entryOf(root, path)),
    ...insideNext(root),
    { name: 'Inter', version: '', licence: 'OFL-1.1', text: font },
    node(root),
  ]
  const texts = [...new Set(all.map(one => one.text))]
  const at = new Map(texts.map((text, index) => [text, index]))
  const seen = new Map(all.map(one => [`${one.name} ${one.version}`, { ...one, text: at.get(one.text) }]))
  return { packages: [...seen.values()].sort((a, b) => a.name.localeCompare(b.name, 'en')), texts }
}

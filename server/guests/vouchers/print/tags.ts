import PDFDocument from 'pdfkit'
import { escaped } from '@/server/kernel/html'

// What a PDF says to those who do not see it (ISO 14289-1, PDF/UA): what each part is, in which order and language it is read.

type Doc = PDFKit.PDFDocument
export type Section = PDFKit.PDFStructureElement
/** `bbox`: left, top, right, bottom from the page's upper left corner, pt. pdfkit's own types leave it out. */
export type About = PDFKit.Mixins.StructureElementOptions & { bbox?: [number, number, number, number] }
/** What a part is, as PDF names it. */
const roles = { heading: 'H1', text: 'P', picture: 'Figure' } as const
export type Role = keyof typeof roles

/** `whole`: each character has a shape, without which no file is PDF/UA. */
export type Paper = { size: [number, number]; title: string; locale: string; whole: boolean }

/** A document without pages, and the section that all others go into. */
export function taggedDocument({ size, title, locale, whole }: Paper): { doc: Doc; root: Section } {
  const options = {
    ...{ size, margin: 0, autoFirstPage: false, lang: locale, info: { Title: title, Creator: 'Lanward' } },
    ...{ pdfVersion: '1.7', tagged: true, displayTitle: true, ...(whole && { subset: 'PDF/UA' }) },
  }
  const doc = new PDFDocument(options as PDFKit.PDFDocumentOptions)
  // pdfkit puts the title into XML as it is.
  const append = doc.appendXML.bind(doc)
  doc.appendXML = (xml, newLine) =>
    append(
      xml.replace(`"x-default">${title}<`, () => `"x-default">${escaped(title)}<`),
      newLine,
    )
  const root = doc.struct('Document')
  doc.addStructure(root)
  return { doc, root }
}

/** What is drawn is read as that, after what is in the section already. */
export function part(doc: Doc, section: Section, role: Role, about: About, draw: () => void): void {
  const name = roles[role]
  const content = doc.markStructureContent(name)
  draw()
  doc.endMarkedContent()
  section.add(doc.struct(name, about, [content]))
}

/** What is drawn is passed over by who reads aloud. */
export function decoration(doc: Doc, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' })
  draw()
  doc.endMarkedContent()
}

/**
 * Scripts, by which a text tells its language: one that several languages share says the script alone. Han stands after the
 * scripts that are written with it.
 */
const scripts: readonly { letters: RegExp; of: readonly string[]; tag: string }[] = [
  { letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, of: ['Jpan'], tag: 'ja' },
  { letters: /\p{Script=Hangul}/u, of: ['Kore'], tag: 'ko' },
  { letters: /\p{Script=Han}/u, of: ['Hans', 'Hant', 'Jpan', 'Kore'], tag: 'zh' },
  { letters: /\p{Script=Hebrew}/u, of: ['Hebr'], tag: 'he' },
  { letters: /\p{Script=Greek}/u, of: ['Grek'], tag: 'el' },
  { letters: /\p{Script=Thai}/u, of: ['Thai'], tag: 'th' },
  { letters: /\p{Script=Arabic}/u, of: ['Arab'], tag: 'und-Arab' },
  { letters: /\p{Script=Cyrillic}/u, of: ['Cyrl'], tag: 'und-Cyrl' },
  { letters: /\p{Script=Devanagari}/u, of: ['Deva'], tag: 'und-Deva' },
  { letters: /\p{Script=Latin}/u, of: ['Latn'], tag: 'und-Latn' },
]

/** Of a text in none of the scripts of its document's language; undefined: that language. */
export function languageOf(text: string, locale: string): string | undefined {
  const own = new Intl.Locale(locale).maximize().script ?? ''
  const found = scripts.filter(({ letters }) => letters.test(text))
  return found.some(({ of }) => of.includes(own)) ? undefined : found[0]?.tag
}

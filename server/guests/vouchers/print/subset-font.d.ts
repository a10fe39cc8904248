declare module 'subset-font' {
  type Options = { targetFormat: 'sfnt'; variationAxes?: Record<string, number> }
  /** The font with the characters of the text alone. */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>
}

const marks = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/**
 * The text of a file as spreadsheets write it: UTF-16 by its mark, else UTF-8, else Windows-1252, which Excel on Windows
 * writes as plain CSV.
 */
export async function fileText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const marked = marks.find(mark => mark.bytes.every((byte, at) => bytes[at] === byte))
  if (marked) return new TextDecoder(marked.encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A document comes in parts of some bytes each; so many are put together at once. */
const together = 65_536
/** All of a document, once it has ended. */
export function bytesOf(doc: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = []
  let small: Buffer[] = []
  let length = 0
  const settle = () => {
    parts.push(Buffer.concat(small))
    small = []
    length = 0
  }
  return new Promise((done, failed) => {
    doc.on('data', part => {
      small.push(part as Buffer)
      length += (part as Buffer).length
      if (length > together) settle()
    })
    doc.on('end', () => done(Buffer.concat([...parts, ...small])))
    doc.on('error', failed)
  })
}

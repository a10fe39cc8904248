/** The bytes of a request's body; `tooLarge` refuses, as soon as there are more than `most`. */
export async function bodyBytes({ body }: Request, most: number, tooLarge: () => never): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  if (body)
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      size += part.length
      if (size > most) tooLarge()
      parts.push(part)
    }
  return Buffer.concat(parts)
}

/** Names of ports in one text, with commas between; each once. */
export const portNames = (text: string | undefined): string[] => [
  ...new Set(
    (text ?? '')
      .split(',')
      .map(name => name.trim())
      .filter(Boolean),
  ),
]

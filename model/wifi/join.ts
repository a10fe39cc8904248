/** What a phone has to know to join a Wi-Fi network. */
export type Joining = { name: string; security: string; hidden: boolean; key?: string }

/** Semicolon, comma, colon, backslash and quote mean something in the text of a code. */
const escaped = (text: string) => text.replaceAll(/[\\;,:"]/g, sign => `\\${sign}`)

/** By security: the word for it (Wi-Fi Alliance, WPA3 specification, 7.1) and whether a key goes with it. */
const types: Readonly<Record<string, { word: string; keyed: boolean; newest?: true }>> = {
  open: { word: 'nopass', keyed: false },
  owe: { word: 'nopass', keyed: false },
  wep: { word: 'WEP', keyed: true },
  wpa2: { word: 'WPA', keyed: true },
  wpa2wpa3: { word: 'WPA', keyed: true },
  // R:1 keeps a phone from joining with anything older than WPA3.
  wpa3: { word: 'WPA', keyed: true, newest: true },
}

/**
 * What a QR code says so that a phone joins, `WIFI:T:WPA;S:Harbour;P:correct horse;;`. Undefined where everybody has a
 * key or a login of their own, or the key is missing.
 */
export function joinText({ name, security, hidden, key }: Joining): string | undefined {
  const type = types[security]
  if (!type || (type.keyed && key === undefined)) return undefined
  const fields = [
    `T:${type.word}`,
    ...(type.newest ? ['R:1'] : []),
    `S:${escaped(name)}`,
    ...(type.keyed ? [`P:${escaped(key ?? '')}`] : []),
    ...(hidden ? ['H:true'] : []),
  ]
  return `WIFI:${fields.join(';')};;`
}

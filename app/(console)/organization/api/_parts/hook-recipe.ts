/** `secret`, `header` and `body` (as text, before it is parsed) are the receiver's. */
export const recipe = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function isFromLanward(secret, header, body) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (!v1 || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false
  const mac = createHmac('sha256', secret).update(\`\${t}.\${body}\`).digest()
  return timingSafeEqual(mac, Buffer.from(v1, 'hex'))
}
`

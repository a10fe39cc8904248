import { getTranslations } from 'next-intl/server'

/** What a phone needs to keep the front desk of a network as an app of its own. Says nothing of the network. */
export async function GET(request: Request) {
  const network = Number(new URL(request.url).searchParams.get('network'))
  const name = (await getTranslations('desk'))('title')
  const start = Number.isSafeInteger(network) && network > 0 ? `/network/${network}/guests/desk` : '/'
  const manifest = {
    ...{ id: start, start_url: start, scope: '/', name: `${name} · Lanward`, short_name: name, display: 'standalone' },
    ...{ background_color: '#f4f6f7', theme_color: '#0b6b7f' },
    icons: [{ src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  }
  return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json' } })
}
export const dynamic = 'force-dynamic'

import { eq } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { networks, networkTags, tags } from '@/db/schema'
import type { Belonging, HandedOver } from '@/server/kernel/belonging'

/** Tags are an organization's own: the network gets those of the same name there, made where there is none. */
function moveTags(db: Db, { network, to: organization }: HandedOver): void {
  const names = db
    .select({ name: tags.name })
    .from(networkTags)
    .innerJoin(tags, eq(tags.id, networkTags.tag))
    .where(eq(networkTags.network, network))
    .all()
  const there = db.select().from(tags).where(eq(tags.organization, organization)).all()
  db.delete(networkTags).where(eq(networkTags.network, network)).run()
  for (const { name } of names) {
    const same = there.find(tag => tag.name.toLowerCase() === name.toLowerCase())
    const tag = same ?? db.insert(tags).values({ organization, name }).returning().get()
    db.insert(networkTags).values({ network, tag: tag.id }).run()
  }
}

export const networkBelongings: readonly Belonging[] = [
  // What it is called and where it stands at its new owner, networks/sharing/hand-over.ts says.
  { table: networks, organization: { of: networks.organization, deleted: 'before' } },
  { table: tags, organization: { of: tags.organization, deleted: 'deletes' } },
  { table: networkTags, network: { of: networkTags.network, deleted: 'cascades' }, handedOver: moveTags },
]

import type { DesiredDocument } from './driver'

/** Stands for the manager's own address in a RADIUS profile; each device sees the manager at one of its own. */
export const radiusHere = 'manager.lanward.internal'

/** Documents with the manager's address, as a device sees it, in that place; where nobody knows it, it stays. */
export const withManager = (documents: DesiredDocument[], peer: string | undefined): DesiredDocument[] =>
  documents.map(document => {
    const radius = document.data.radius as { server?: unknown } | undefined
    if (peer === undefined || radius?.server !== radiusHere) return document
    return { ...document, data: { ...document.data, radius: { ...radius, server: peer } } }
  })

/** RFC 5176: where access points take requests to put somebody out; the first of their networks, the next at the next. */
export const firstRadiusRequestPort = 3799

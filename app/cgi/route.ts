/** `getComponentSetting` of the specification: this manager drives the router part only, there is no UCM. */
export async function POST(request: Request) {
  const body = (await request.json().catch(() => ({}))) as { action?: string }
  if (body?.action !== 'getComponentSetting')
    return Response.json({ retCode: 10003, data: {}, type: 'error' }, { status: 404 })
  return Response.json({ retCode: 0, data: { router_enable: 1, ucm_enable: 0 }, type: 'success' })
}

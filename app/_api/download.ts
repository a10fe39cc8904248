import { ApiError, tellFailure, timeoutOf } from './client'

const fileName = /filename="([^"]+)"/
const keptMs = 20_000

/** Hands a file to the browser. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}

const kindOf = (status: number) => (status === 401 ? 'session' : status === 403 ? 'forbidden' : 'refused')

async function fetched(address: string, path: string): Promise<Response> {
  const limit = timeoutOf(path)
  try {
    return await fetch(address, { ...(limit !== undefined && { signal: AbortSignal.timeout(limit) }) })
  } catch (error) {
    throw new ApiError((error as { name?: string }).name === 'TimeoutError' ? 'timeout' : 'network', path)
  }
}

type Refused = { retCode: number; data?: Record<string, unknown> }

function refusalIn(text: string): Refused | undefined {
  try {
    return JSON.parse(text) as Refused
  } catch {
    return undefined
  }
}

/** The file of a GET call, or the refusal that came in its place. */
async function fileOf(address: string, path: string): Promise<{ name: string; content: Blob }> {
  const reply = await fetched(address, path)
  const name = fileName.exec(reply.headers.get('content-disposition') ?? '')?.[1]
  const content = await reply.blob()
  const isFile = name !== undefined || !content.type.includes('json')
  if (reply.ok && isFile) return { name: name ?? path.split('/').at(-1) ?? path, content }
  const answer = refusalIn(await content.text())
  if (reply.ok && answer && answer.retCode === undefined) return { name: path, content }
  if (!answer) throw new ApiError('network', path)
  throw new ApiError(kindOf(reply.status), path, answer.retCode, answer.data, reply.headers.get('x-request-id') ?? '')
}

/**
 * Downloads what a GET call gives, e.g. `/app/exports/devices?networkId=1`. A refusal is shown as of every call: it is
 * never saved as the file.
 */
export async function download(address: string): Promise<void> {
  const path = (address.split('?')[0] ?? '').replace(/^\/app\//, '')
  try {
    const { name, content } = await fileOf(address, path)
    saveFile(name, content)
  } catch (error) {
    if (error instanceof ApiError) tellFailure(error)
    else throw error
  }
}

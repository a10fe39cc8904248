import { ApiError, tellSuccess } from './client'
import { pageAccount } from './session-end'

type Answer = { retCode: number; data: Record<string, unknown> }

/**
 * Sends a file as the body of a call, as it is; `query` is the call's input. Tells how far it is in percent, which fetch
 * cannot. Resolves to the answer's data, rejects with ApiError.
 */
export function sendFile(
  path: string,
  query: Record<string, string>,
  file: File,
  onProgress: (percent: number) => void,
): Promise<Record<string, unknown>> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest()
    const asked = new URLSearchParams(query).toString()
    request.open('POST', `/app/${path}${asked && `?${asked}`}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.setRequestHeader('x-requested-with', 'XMLHttpRequest')
    for (const [name, value] of Object.entries(pageAccount())) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.onprogress = event => onProgress(event.total ? Math.floor((100 * event.loaded) / event.total) : 0)
    request.onerror = () => failed(new ApiError('network', path))
    request.onload = () => {
      const answer = request.response as Answer | null
      if (!answer) return failed(new ApiError('network', path))
      if (answer.retCode === 0) {
        tellSuccess(path, request.getResponseHeader('x-lanward-topics'))
        return done(answer.data)
      }
      failed(new ApiError(request.status === 401 ? 'session' : 'refused', path, answer.retCode, answer.data))
    }
    request.send(file)
  })
}

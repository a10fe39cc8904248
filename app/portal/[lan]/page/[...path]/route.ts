import { answerPageFile } from '@/server/guests/portal/files'

type Params = { params: Promise<{ lan: string; path: string[] }> }

export const GET = async (request: Request, { params }: Params) => {
  const { lan, path } = await params
  return answerPageFile(lan, path.join('/'), request)
}
export const dynamic = 'force-dynamic'

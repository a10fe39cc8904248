import { answerFile } from '@/server/guests/portal/files'

type Params = { params: Promise<{ lan: string; id: string }> }

export const GET = async (request: Request, { params }: Params) => {
  const { lan, id } = await params
  return answerFile(lan, id, request)
}
export const dynamic = 'force-dynamic'

import { answerApi } from '@/server/guests/portal/api'

type Params = { params: Promise<{ lan: string }> }

export const GET = async (request: Request, { params }: Params) => answerApi((await params).lan, request)
export const dynamic = 'force-dynamic'

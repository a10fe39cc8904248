import { answerGuest } from '@/server/guests/portal/answer'

type Params = { params: Promise<{ lan: string }> }

const handle = async (request: Request, { params }: Params) => answerGuest((await params).lan, request)

export { handle as GET, handle as POST }
export const dynamic = 'force-dynamic'

import { dispatch } from '@/server/door/dispatch'

type Params = { params: Promise<{ call: string[] }> }

const handle = async (request: Request, { params }: Params) => dispatch((await params).call.join('/'), request)

export { handle as GET, handle as POST }

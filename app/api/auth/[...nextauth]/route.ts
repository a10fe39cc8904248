import NextAuth from 'next-auth'
import { readCookie } from '@/server/kernel/cookies'
import { remoteAddress } from '@/server/kernel/remote'
import { runtime } from '@/server/kernel/runtime'
import { findSession, sessionCookie } from '@/server/people/accounts/sessions'

type Params = { params: Promise<{ nextauth: string[] }> }

// Sign-in has one door, POST /app/login. Of next-auth's own routes only these two answer.
const open = ['session', 'csrf']

async function handle(request: Request, context: Params) {
  const [action = ''] = (await context.params).nextauth
  if (!open.includes(action)) return new Response(null, { status: 404 })
  const started = runtime()
  if (action === 'session') {
    const secure = request.headers.get('x-forwarded-proto') === 'https'
    // A session that ended on the server must not live on in a cookie that still decrypts.
    const cookie = readCookie(request.headers.get('cookie'), sessionCookie(secure))
    if (!(await findSession(started, cookie, false, remoteAddress(request.headers)))) return Response.json({})
  }
  return NextAuth({ providers: [], secret: started.secrets.derive('next-auth'), session: { strategy: 'jwt' } })(
    request,
    context,
  )
}

export { handle as GET }

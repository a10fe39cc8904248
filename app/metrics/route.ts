import { dispatch } from '@/server/door/dispatch'

/** Where collectors look for metrics unasked. */
export const GET = (request: Request) => dispatch('metrics', request)

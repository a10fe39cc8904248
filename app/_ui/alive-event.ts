/** Told by a form once a field of it, which the server drew, has come to life. */
export const aliveEvent = 'lanward:alive'

// What is typed and not saved outlives the session: it is asked for again above the form, and the call is made once more.

type Ask = () => Promise<boolean>
let ask: Ask | undefined
let asked: Promise<boolean> | undefined
/** Somebody closed the question: only an act of theirs asks it again. */
let declined = false
let unsaved = 0
const waiting = new Set<() => void>()

function wake(): void {
  declined = false
  const all = [...waiting]
  waiting.clear()
  for (const goOn of all) goOn()
}

/** Something on this page is changed and not saved, until the function returned is called. */
export function holdUnsaved(): () => void {
  unsaved++
  return () => {
    unsaved--
    if (unsaved === 0) wake()
  }
}
export const hasUnsaved = (): boolean => unsaved > 0

/** Who asks for the password when a session has ended; resolves to whether somebody signed in. */
export function onSessionEnd(one: Ask): () => void {
  ask = one
  return () => {
    if (ask === one) ask = undefined
  }
}

async function askNow(one: Ask): Promise<boolean> {
  const again = await one()
  if (again) wake()
  else declined = true
  return again
}

function askOnce(one: Ask): Promise<boolean> {
  asked ??= askNow(one).finally(() => {
    asked = undefined
  })
  return asked
}

/**
 * Whether a call that the ended session refused is worth another try, as far as there is something to lose. Asked once for
 * all calls. What a part of the page asks by itself (`byItself`) waits where the person declined: its failure would be drawn
 * in place of the form.
 */
export async function signedInAgain(byItself: boolean): Promise<boolean> {
  if (!ask || !hasUnsaved()) return false
  if (!byItself) return askOnce(ask)
  if (!declined && (await askOnce(ask))) return true
  if (hasUnsaved()) await new Promise<void>(goOn => waiting.add(goOn))
  return true
}

let leaving = false
/** The page is about to be left for good: nothing more is asked by it. */
export function leavePage(): void {
  leaving = true
}
export const isLeaving = (): boolean => leaving

let account: number | undefined
/** Whose page this is, by the account's id: what is done on it is done under no other name (`pageAccount`). */
export function belongTo(id: number): void {
  if (typeof window !== 'undefined') account = id
}

/** Sent with each call: in another tab somebody else may have signed in meanwhile. */
export const pageAccount = (): Record<string, string> =>
  account === undefined ? {} : { 'x-lanward-account': String(account) }

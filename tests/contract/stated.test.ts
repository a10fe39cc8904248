// What a call must say of itself. The compiler is the test: where it would take what is forgotten here, it says so.
import type { useTranslations } from 'next-intl'
import * as z from 'zod'
import { call } from '@/server/kernel/call'

const own = { path: 'test/x', scope: 'organization', input: z.strictObject({}) } as const
const run = () => ({})
const reading = { ...own, tag: 'account', authority: 'devices', changes: false } as const
const changing = { ...reading, changes: true, topics: ['users'], changelog: 'entry', send: 'each' } as const
const open = { ...own, tag: 'signIn', authority: 'open', changes: true, unheard: 'leaves', send: 'once' } as const

test('what is whole is taken', () => {
  const whole = [
    call({ ...reading, run }),
    call({ ...changing, run: ({ log }) => log({ action: 'add', object: 'user', name: '' }) }),
    call({ ...changing, body: 'stream', uploadBytes: 1, run }),
    call({ ...reading, authority: 'session', keys: true, run }),
    call({ ...open, run }),
  ]
  expect(whole).toHaveLength(5)
})

test('what is forgotten, or does not fit together, does not compile', () => {
  const { tag: _, ...untagged } = reading
  const { changelog: __, ...unlogged } = changing
  const { send: ___, ...unsent } = changing
  const { topics: ____, ...unheard } = changing
  const broken = [
    // @ts-expect-error no area
    call({ ...untagged, run }),
    // @ts-expect-error an area without words
    call({ ...reading, tag: 'nowhere', run }),
    // @ts-expect-error it changes something, and says nothing of the changelog
    call({ ...unlogged, run }),
    // @ts-expect-error it changes something, and does not say how it is sent
    call({ ...unsent, run }),
    // @ts-expect-error it changes something, and does not say what is old after it
    call({ ...unheard, run }),
    // @ts-expect-error something is old after it, and nothing is
    call({ ...changing, unheard: 'unseen', run }),
    // @ts-expect-error no page knows of such news
    call({ ...changing, topics: ['weather'], run }),
    // @ts-expect-error the changelog has nothing of it, and yet it writes
    call({ ...changing, changelog: 'looks', run: ({ log }) => log({ action: 'add', object: 'user', name: '' }) }),
    // @ts-expect-error it reads, and yet it writes
    call({ ...reading, run: ({ log }) => log({ action: 'add', object: 'user', name: '' }) }),
    // @ts-expect-error anybody could fill the changelog
    call({ ...open, changelog: 'entry', run }),
    // @ts-expect-error a stream without a limit
    call({ ...changing, body: 'stream', run }),
    // @ts-expect-error a limit that nobody holds to
    call({ ...changing, uploadBytes: 1, run }),
    // @ts-expect-error keys are let in by the authority
    call({ ...reading, keys: true, run }),
  ]
  expect(broken).toHaveLength(13)
})

test('a word that English lacks does not compile', () => {
  const t = ((key: string) => key) as unknown as ReturnType<typeof useTranslations<'clients'>>
  // @ts-expect-error no such word
  expect([t('title'), t('titel')]).toHaveLength(2)
})

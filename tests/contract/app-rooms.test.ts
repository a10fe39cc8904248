import { filesUnder, importsOf, loopsAmong } from './_tree'

/** The rooms of app/ from the ground up. One imports what stands before it in this list, types included. */
const rooms = [
  '_i18n',
  '_api',
  '_ui',
  '_shared',
  '_form',
  '(console)/_words',
  '(console)/_shell',
  '(console)/_guide',
  '(console)/network/[networkId]/settings',
  '(console)/network/[networkId]/devices',
  '(console)/network/[networkId]/clients',
  '(console)/network/[networkId]/guests',
  '(console)/network/[networkId]/alerts',
  '(console)/network/[networkId]/insight/logs',
  '(console)/network/[networkId]/dashboard',
  '(console)/network/[networkId]/insight',
  '(console)/organization/_parts',
  '(console)/organization/network',
  '(console)/organization/overview',
  '(console)/organization/users',
  '(console)/organization/api',
  '(console)/organization/changelog',
  '(console)/organization/manager',
  '(console)/account',
  '(console)/about',
  '(sign-in)/_parts',
  '(sign-in)/login',
  '(sign-in)/wizard',
  '(sign-in)/forbidden',
  '(sign-in)/router',
  'api',
  'app',
  'cgi',
  'metrics',
  'portal',
  'chunk-retry',
  'early-submit',
]

const code = /\.tsx?$/
/** Files that Next calls by their names; outside of rooms they are the roof, and nobody imports them. */
const roof = /(^|\/)(page|layout|error|not-found)$/

const inApp = (path: string) => path.replace(/^app\//, '').replace(code, '')
const placeOf = (path: string) => rooms.findIndex(room => path === room || path.startsWith(`${room}/`))
const files = filesUnder('app', code)

test('each file of app/ stands in a room of the list, or is called by Next', () => {
  expect(files.map(inApp).filter(path => placeOf(path) < 0 && !roof.test(path))).toEqual([])
})

test('each room of the list holds something', () => {
  const held = new Set(files.map(file => placeOf(inApp(file))))
  expect(rooms.filter((_, place) => !held.has(place))).toEqual([])
})

test('no room imports one that stands after it', () => {
  const arrows = files.flatMap(importsOf).filter(({ what }) => what.startsWith('app/'))
  expect(arrows.length).toBeGreaterThan(500)
  const up = arrows.filter(({ from, what }) => {
    const [own, other] = [placeOf(inApp(from)), placeOf(inApp(what))]
    return own >= 0 && (other < 0 || other > own)
  })
  expect(up.map(({ from, what }) => `${from} → ${what}`)).toEqual([])
})

const folderOf = (path: string) => path.split('/').slice(0, -1).join('/')

test('no folders import each other in a loop, be they in one room', () => {
  const between = files
    .flatMap(importsOf)
    .map(one => ({ ...one, from: folderOf(one.from), what: folderOf(one.what) }))
    .filter(({ from, what }) => what.startsWith('app') && what !== from)
  expect(loopsAmong(between)).toEqual([])
})

import { readFileSync, statSync } from 'node:fs'

/** Only needed to build, to develop, or for other uses of a package than ours. */
const leftOut =
  /^node_modules\/(@next\/swc-|@swc\/core|@parcel\/|@img\/|sharp$|@types\/|next-intl-swc-plugin|typescript$)/

/** Folders of the packages that the manager runs on, below `root`: those of the lock that are not for development alone. */
export function shippedPackages(root) {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8'))
  return Object.entries(packages)
    .filter(
      ([path, entry]) =>
        path && !entry.dev && !leftOut.test(path) && statSync(`${root}/${path}`, { throwIfNoEntry: false }),
    )
    .map(([path]) => path)
}

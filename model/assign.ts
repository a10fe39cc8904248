/** Which devices of the network get a document. Groups count with everything below them. */
export type Assign = { all: boolean; groups: number[]; devices: number[] }

/** Ids of the groups that a group, or a device, lies in up to the root; a group's own among them. */
export type GroupPaths = { group(id: number): readonly number[]; device(id: number): readonly number[] }

/** What is known without the network's groups: each stands for itself. */
const alone: GroupPaths = { group: id => [id], device: () => [] }

/** Whether it is for any device at all. */
export const reachesAny = ({ all, groups, devices }: Assign) => all || groups.length + devices.length > 0

/** Whether some device gets both, now or once it is put into a group that does. */
export function together(a: Assign, b: Assign, paths = alone): boolean {
  if (a.all || b.all) return reachesAny(a) && reachesAny(b)
  const within = (path: readonly number[], other: Assign) => path.some(id => other.groups.includes(id))
  const meets = (one: Assign, other: Assign) =>
    one.groups.some(id => within(paths.group(id), other)) ||
    one.devices.some(id => other.devices.includes(id) || within(paths.device(id), other))
  return meets(a, b) || meets(b, a)
}

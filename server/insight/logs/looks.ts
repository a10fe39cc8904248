/** A device whose links go up and down all the time is looked at no more often, ms. */
const pauseMs = 5000

/** Looks at a device at once where it says that a link changed; at what it says during the pause, after it. */
export function looks(lookAt: (device: number) => void) {
  const resting = new Map<number, { timer: NodeJS.Timeout; again: boolean }>()
  const begin = (device: number) => {
    lookAt(device)
    const timer = setTimeout(() => {
      const { again } = resting.get(device) ?? {}
      resting.delete(device)
      if (again) begin(device)
    }, pauseMs).unref()
    resting.set(device, { timer, again: false })
  }
  return {
    wish(device: number): void {
      const rest = resting.get(device)
      if (rest) rest.again = true
      else begin(device)
    },
    stop(): void {
      for (const { timer } of resting.values()) clearTimeout(timer)
    },
  }
}

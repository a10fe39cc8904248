/** Rows of ports as on the front of a switch: odd above even; up to ten ports stand in one row. */
export function portRows<T>(ports: readonly T[]): T[][] {
  if (ports.length <= 10) return [[...ports]]
  return [ports.filter((_, at) => at % 2 === 0), ports.filter((_, at) => at % 2 === 1)]
}

/** How many ports an arrow key goes on, as they are drawn; undefined for other keys. */
export function portStep(key: string, ports: readonly unknown[]): number | undefined {
  const by = { ArrowRight: 2, ArrowLeft: -2, ArrowDown: 1, ArrowUp: -1 }[key]
  return by && (portRows(ports).length === 1 ? Math.sign(by) : by)
}

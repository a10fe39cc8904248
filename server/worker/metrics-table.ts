/** Rows by their labels, and a value of each in every column; not-a-number: unknown, and no sample. */
export type Columns = { labels: string[][]; values: Record<string, Float64Array> }
export type DeviceMetrics = { device: number; interfaces: Columns; radios: Columns; bss: Columns; ways: Columns }

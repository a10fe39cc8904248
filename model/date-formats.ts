/** How an account may have its dates written (specification 1-console.md section 3). */
export const dateFormats = [
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'yyyy/dd/MM',
  'yyyy-dd-MM',
  'MM/dd/yyyy',
  'dd/MM/yyyy',
  'MM-dd-yyyy',
  'dd-MM-yyyy',
] as const
export type DateFormat = (typeof dateFormats)[number]

declare module 'fontkit' {
  /** `characterSet`: code points that it has a shape for. */
  export function create(font: Buffer): { characterSet: number[] }
}

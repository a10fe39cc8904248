import { saveFile } from '@/app/_api/download'

// The drawing as a file that needs nothing of the console: every element carries its own colours and lines.

const properties = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-opacity', 'opacity', 'font-family', 'font-size', 'font-weight', 'paint-order'],
] as const
const own = /^(class|role|tabindex|style|data-|aria-)/
const margin = 24

function bare(from: Element, to: Element): void {
  for (const { name } of [...to.attributes]) if (own.test(name)) to.removeAttribute(name)
  const style = getComputedStyle(from)
  if (style.display === 'none' || from.matches('.topo-grip, .topo-halo')) {
    to.setAttribute('display', 'none')
    return
  }
  if (from instanceof SVGGElement || from instanceof SVGSVGElement || from instanceof SVGTitleElement) return
  for (const name of properties) to.setAttribute(name, style.getPropertyValue(name))
}

/** The whole drawing, whatever part of it is on the screen; `title` is its name for readers. */
export function drawingOf(svg: SVGSVGElement, title: string): { text: string; width: number; height: number } {
  const far = svg.classList.contains('far')
  svg.classList.remove('far')
  const plane = svg.querySelector('g')
  const box = plane?.getBBox() ?? new DOMRect(0, 0, 1, 1)
  const copy = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const [width, height] = [Math.ceil(box.width + margin * 2), Math.ceil(box.height + margin * 2)]
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('viewBox', `${box.x - margin} ${box.y - margin} ${width} ${height}`)
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const name = document.createElementNS(copy.namespaceURI, 'title')
  name.textContent = title
  const ground = document.createElementNS(copy.namespaceURI, 'rect')
  for (const [key, value] of Object.entries({ x: box.x - margin, y: box.y - margin, width, height }))
    ground.setAttribute(key, String(value))
  const card = svg.closest('.card')
  ground.setAttribute('fill', card ? getComputedStyle(card).backgroundColor : '#ffffff')
  copy.append(name, ground)
  if (plane) {
    const clone = plane.cloneNode(true) as Element
    clone.removeAttribute('transform')
    const clones = clone.querySelectorAll('*')
    for (const [at, from] of [...plane.querySelectorAll('*')].entries()) {
      const to = clones[at]
      if (to) bare(from, to)
    }
    for (const hidden of clone.querySelectorAll('[display=none]')) hidden.remove()
    copy.append(clone)
  }
  if (far) svg.classList.add('far')
  return { text: new XMLSerializer().serializeToString(copy), width, height }
}

/** Pixels of a picture's longer side, which browsers still draw. */
const longest = 8192

async function pictureOf({ text, width, height }: ReturnType<typeof drawingOf>): Promise<Blob> {
  const scale = Math.min(2, longest / Math.max(width, height))
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * scale)
  canvas.height = Math.ceil(height * scale)
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((done, refuse) =>
    canvas.toBlob(blob => (blob ? done(blob) : refuse(new Error('no picture'))), 'image/png'),
  )
}

/** Saves the drawing as `name`.svg or `name`.png. */
export async function saveDrawing(svg: SVGSVGElement, title: string, name: string, png: boolean): Promise<void> {
  const drawing = drawingOf(svg, title)
  if (png) saveFile(`${name}.png`, await pictureOf(drawing))
  else saveFile(`${name}.svg`, new Blob([drawing.text], { type: 'image/svg+xml' }))
}

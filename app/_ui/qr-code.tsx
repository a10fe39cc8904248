type Props = { qr: { size: number; path: string }; label: string }

/** A QR code, with its quiet zone always dark on white: many cameras read no other. */
export const QrCode = ({ qr: { size, path }, label }: Props) => (
  <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
    <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
    <path fill="#000" d={path} />
  </svg>
)

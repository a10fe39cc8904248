const radii = Array.from({ length: 18 }, (_, index) => (index + 1) * 62)
const beacons = [
  [66, 649],
  [227, 598],
  [179, 824],
  [470, 713],
  [434, 449],
  [192, 365],
  [385, 850],
  [556, 769],
] as const

/** The picture beside the sign-in: rings of a beacon, and what answers it. */
export const BeaconRings = () => (
  <svg className="art" viewBox="0 0 640 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    {radii.map((r, index) => (
      <circle
        key={r}
        cx="-40"
        cy="940"
        r={r}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
        strokeOpacity={(0.342 - index * 0.018).toFixed(3)}
      />
    ))}
    {beacons.map(([x, y]) => (
      <g key={x}>
        <circle cx={x} cy={y} r="4.5" fill="currentColor" />
        <circle cx={x} cy={y} r="10" fill="none" stroke="currentColor" strokeOpacity=".5" />
      </g>
    ))}
  </svg>
)

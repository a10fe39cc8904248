/** The mark: a beacon over a corner of LAN. Never mirrored. */
export const Logo = () => (
  <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6.5" fill="currentColor" />
    <g fill="none" stroke="var(--on-accent)" strokeWidth="2.1" strokeLinecap="round">
      <path d="M7 17v-5.500M7 17h10" />
      <path d="M11.200 8.200a5.600 5.600 0 0 1 4.700 4.700" />
      <path d="M7 7.200h.01" strokeWidth="2.7" />
    </g>
  </svg>
)

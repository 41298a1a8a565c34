/** The logo: a bridge. It is decorative unless it has a title. */
export function Logo({ sizePx = 32, title }: { sizePx?: number; title?: string }) {
  return (
    <svg
      width={sizePx}
      height={sizePx}
      viewBox="0 0 48 48"
      {...(title === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': title })}
    >
      <rect width="48" height="48" rx="11" fill="#0e7490" />
      <g fill="none" stroke="#fff" strokeLinecap="round">
        <path d="M6 33h36" strokeWidth="3.4" />
        <path d="M16 12v25M32 12v25" strokeWidth="3.4" />
        <path d="M6 27C10 24 14 18 16 13c3 8 6 12 8 12s5-4 8-12c2 5 6 11 10 14" strokeWidth="2.4" />
        <path d="M24 26v6M20 23.5v8M28 23.5v8" strokeWidth="1.6" opacity=".75" />
      </g>
    </svg>
  );
}

import type { ReactNode } from 'react';
import '../theme/theme.css';
import styles from './full-page.module.css';

/** The bridge's hangers, from the cable to the deck. The cable's sag is a parabola. */
const hangers = Array.from({ length: 16 }, (_, index) => {
  const x = 420 + index * 40;
  const sag = 1 - ((x - 720) / 340) ** 2;
  return `M${x} ${Math.round(744 + 62 * sag)}V822`;
}).join('');

/** The background of full pages: a bridge over water below the text, drawn as SVG, so there is nothing to download. */
function Scenery() {
  return (
    <svg className={styles.scenery} viewBox="0 0 1440 900" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--scene-sky)" />
          <stop offset="1" stopColor="var(--scene-horizon)" />
        </linearGradient>
      </defs>
      <rect width="1440" height="900" fill="url(#sky)" />
      <path d="M0 802C160 766 260 776 420 796s280 6 430-16 330-20 590 24v80H0z" fill="var(--scene-hill)" />
      <g fill="none" stroke="var(--scene-far)">
        <path d="M-60 822C160 812 300 786 380 742q340 128 680 0c80 44 220 70 440 80" strokeWidth="3" />
        <path d={hangers} strokeWidth="1.5" />
      </g>
      <g fill="var(--scene-near)">
        <path d="M375 736h10v134h-10zM1055 736h10v134h-10z" />
        <rect y="822" width="1440" height="6" />
      </g>
      <path d="M0 856c240-18 460 18 720 0s500 10 720-6v50H0z" fill="var(--scene-water)" />
    </svg>
  );
}

/** A page without the console's frame, with its content in the middle. */
export function FullPage({ children }: { children: ReactNode }) {
  return (
    <main className={styles.fullPage}>
      <Scenery />
      {children}
    </main>
  );
}

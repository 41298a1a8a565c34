import type { ReactNode } from 'react';
import { useThemeMode } from './theme-mode.tsx';
import styles from './ui.module.css';

const lightScene = { sky: ['#e3f1f4', '#f6f9fa'], far: '#b9d9e0', near: '#8fc1cc', water: '#d5e9ed' };
const darkScene = { sky: ['#0b1d25', '#0d1519'], far: '#17343f', near: '#1d4653', water: '#0f262f' };

/** The full-page background: a bridge over calm water, drawn, so that it costs no download. */
function Scenery() {
  const scene = useThemeMode().isDark ? darkScene : lightScene;
  return (
    <svg className={styles.scenery} viewBox="0 0 1440 900" preserveAspectRatio="xMidYMax slice" aria-hidden>
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={scene.sky[0]} />
          <stop offset="1" stopColor={scene.sky[1]} />
        </linearGradient>
      </defs>
      <rect width="1440" height="900" fill="url(#sky)" />
      <path d="M0 760C180 690 300 700 470 742s300 20 470-30 340-20 500 40v148H0z" fill={scene.water} />
      <g fill="none" stroke={scene.far} strokeWidth="3">
        <path d="M-40 640C160 560 300 380 360 300c120 260 240 340 360 340s240-80 360-340c60 80 200 260 400 340" />
        <path
          d="M420 430v260M480 530v160M540 590v100M600 622v68M660 636v54M720 640v50M780 636v54M840 622v68M900 590v100M960 530v160M1020 430v260M300 382v308M240 458v232M180 522v168M120 572v118M1140 382v308M1200 458v232M1260 522v168M1320 572v118"
          strokeWidth="1.5"
        />
      </g>
      <g fill={scene.near}>
        <path d="M352 286h16v520h-16zM1072 286h16v520h-16z" />
        <rect x="0" y="690" width="1440" height="10" />
      </g>
      <path d="M0 806C240 782 460 830 720 806s500 12 720-8v102H0z" fill={scene.water} />
    </svg>
  );
}

/** A page without the console's frame: its content stands in the middle. */
export function FullPage({ children }: { children: ReactNode }) {
  return (
    <main className={styles.fullPage}>
      <Scenery />
      {children}
    </main>
  );
}

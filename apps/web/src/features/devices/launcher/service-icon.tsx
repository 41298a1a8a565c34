import styles from './launcher.module.css';
import type { ServiceKind } from './service-kind.ts';

/** Paths in a square of 24, in the style of Ant Design's icons. */
const drawings: Record<ServiceKind, string> = {
  photos: 'M4 5h16v14H4zM4 16l5-5 4.5 4.5L16 13l4 4M15.5 9h.01',
  video: 'M4 5h16v14H4zM10 9v6l5-3z',
  music: 'M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  download: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M4 20h16',
  home: 'M3.5 11.5 12 4l8.5 7.5M6 9.5V20h12V9.5M10 20v-6h4v6',
  camera: 'M3 7h12v10H3zM15 11l6-3v8l-6-3',
  printer: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  chart: 'M4 4v16h16M8.5 16v-4M12.5 16V8M16.5 16v-6',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 4.5l-3 15',
  book: 'M5 4h14v16H7.5A2.5 2.5 0 0 1 5 17.5zM5 17.5A2.5 2.5 0 0 1 7.5 15H19M9 8h6',
  key: 'M7.5 20a4.5 4.5 0 1 1 3.2-7.7L19 4l2 2-1.5 1.5 1.5 1.5-2.5 2.5L17 10l-4.3 4.3A4.5 4.5 0 0 1 7.5 20z',
  screen: 'M3 5h18v11H3zM8.5 20h7M12 16v4',
  terminal: 'M3 5h18v14H3zM7 9.5l3 2.5-3 2.5M12.5 15H16',
  files: 'M3 19V5h6l2.5 3H21v11z',
  router: 'M4 14h16v6H4zM8 17h.01M12 17h4M12 14v-3M8.5 8a5 5 0 0 1 7 0M6 5a8.6 8.6 0 0 1 12 0',
  nas: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5h.01M8 16.5h.01M12 7.5h4.5M12 16.5h4.5',
};

export type TileIcon = { kind: ServiceKind } | { sign: string };

/** The icon of a service: the emoji in its name, the icon of its kind, or the first letter of its name. */
export function ServiceIcon({ icon }: { icon: TileIcon }) {
  if ('sign' in icon) {
    return (
      <span className={styles.sign} aria-hidden>
        {icon.sign}
      </span>
    );
  }
  return (
    <svg className={styles.drawing} viewBox="0 0 24 24" aria-hidden>
      <path d={drawings[icon.kind]} />
    </svg>
  );
}

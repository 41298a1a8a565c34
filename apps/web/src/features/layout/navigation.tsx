import { BellOutlined, HddOutlined, UserOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { productName } from '../../document-title.ts';
import { paths } from '../../paths.ts';
import { layoutText } from '../../text/layout.ts';
import { Logo } from '../../ui/logo.tsx';
import styles from './layout.module.css';

type Place = { to: string; icon: ReactNode; word: string; phoneWord: string };

const places: readonly Place[] = [
  { to: paths.devices, icon: <HddOutlined />, word: layoutText.devices, phoneWord: layoutText.devices },
  { to: paths.userInfo, icon: <UserOutlined />, word: layoutText.userInfo, phoneWord: layoutText.me },
];

/** A narrow bar at the side; the same links are a bar at the bottom on a phone. */
export function Navigation({ onShowAnnouncements }: { onShowAnnouncements: () => void }) {
  return (
    <nav className={styles.navigation} aria-label={layoutText.mainNavigation}>
      <NavLink to={paths.devices} className={styles.brand ?? ''} aria-label={productName}>
        <Logo sizePx={36} />
        <span>{productName}</span>
      </NavLink>
      {places.map((place) => (
        <NavLink
          key={place.to}
          to={place.to}
          className={({ isActive }) => `${styles.place} ${isActive ? styles.activePlace : ''}`}
        >
          <span className={styles.placeIcon} aria-hidden>
            {place.icon}
          </span>
          <span className={styles.wideWord}>{place.word}</span>
          <span className={styles.phoneWord}>{place.phoneWord}</span>
        </NavLink>
      ))}
      <button type="button" className={`${styles.place} ${styles.lastPlace}`} onClick={onShowAnnouncements}>
        <span className={styles.placeIcon} aria-hidden>
          <BellOutlined />
        </span>
        <span>{layoutText.announcements}</span>
      </button>
    </nav>
  );
}

import {
  BellOutlined,
  CommentOutlined,
  GiftOutlined,
  HddOutlined,
  LineChartOutlined,
  SafetyCertificateOutlined,
  ShoppingOutlined,
  TeamOutlined,
  UserAddOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { hasRole, type Role } from '@tongtu/contract/roles';
import type { ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useProfile, useSiteConfig } from '../../api/index.ts';
import { productName } from '../../routing/document-title.ts';
import { managePath, paths } from '../../routing/paths.ts';
import { layoutText } from '../../text/layout.ts';
import { Logo } from '../../ui/page/logo.tsx';
import styles from './layout.module.css';

type Place = {
  to: string;
  icon: ReactNode;
  word: string;
  /** Undefined: on a phone another screen leads there. */
  phoneWord: string | undefined;
  role?: Role;
  /** Only where billing is on. */
  isOfShop?: true;
  isLast?: true;
  /** The screens below this path belong to it, too. */
  place?: string;
};

const places: readonly Place[] = [
  { to: paths.devices, icon: <HddOutlined />, word: layoutText.devices, phoneWord: layoutText.devices },
  {
    to: paths.statistics,
    icon: <LineChartOutlined />,
    word: layoutText.statistics,
    phoneWord: layoutText.statistics,
  },
  {
    to: paths.records,
    icon: <SafetyCertificateOutlined />,
    word: layoutText.records,
    phoneWord: layoutText.recordsShort,
  },
  {
    to: paths.plans,
    icon: <ShoppingOutlined />,
    word: layoutText.plans,
    phoneWord: layoutText.plans,
    isOfShop: true,
  },
  {
    to: paths.productKeys,
    icon: <GiftOutlined />,
    word: layoutText.productKeys,
    phoneWord: undefined,
    isOfShop: true,
  },
  {
    to: paths.invite,
    icon: <UserAddOutlined />,
    word: layoutText.invite,
    phoneWord: undefined,
    isOfShop: true,
  },
  {
    to: paths.community,
    icon: <CommentOutlined />,
    word: layoutText.community,
    phoneWord: layoutText.communityShort,
  },
  { to: paths.userInfo, icon: <UserOutlined />, word: layoutText.userInfo, phoneWord: layoutText.me },
  {
    to: paths.users,
    place: managePath,
    icon: <TeamOutlined />,
    word: layoutText.manage,
    phoneWord: layoutText.manage,
    role: 'staff',
  },
  {
    to: paths.announcements,
    icon: <BellOutlined />,
    word: layoutText.announcements,
    phoneWord: layoutText.announcements,
    isLast: true,
  },
];

function placeClass({ isLast, phoneWord }: Place, isActive: boolean): string {
  const names = [
    styles.place,
    isActive && styles.activePlace,
    isLast && styles.lastPlace,
    phoneWord === undefined && styles.widePlace,
  ];
  return names.filter((name) => typeof name === 'string').join(' ');
}

/** The links as a bar at the side, or at the bottom on a phone. */
export function Navigation() {
  const profile = useProfile();
  const { pathname } = useLocation();
  const hasShop = useSiteConfig()?.billing === 'on';
  const shown = places.filter(
    ({ role, isOfShop }) => (!isOfShop || hasShop) && (role === undefined || (profile && hasRole(profile, role))),
  );
  return (
    <nav className={styles.navigation} aria-label={layoutText.mainNavigation}>
      <NavLink to={paths.devices} className={styles.brand ?? ''} aria-label={productName}>
        <Logo sizePx={36} />
        <span>{productName}</span>
      </NavLink>
      {shown.map((place) => (
        <NavLink
          key={place.to}
          to={place.to}
          className={({ isActive }) =>
            placeClass(place, isActive || (place.place !== undefined && pathname.startsWith(place.place)))
          }
        >
          <span className={styles.placeIcon} aria-hidden>
            {place.icon}
          </span>
          <span className={styles.wideWord}>{place.word}</span>
          <span className={styles.phoneWord}>{place.phoneWord}</span>
        </NavLink>
      ))}
    </nav>
  );
}

import {
  DesktopOutlined,
  DownOutlined,
  LogoutOutlined,
  MoonOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { Avatar } from 'antd';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useProfile } from '../../api/index.ts';
import { productName } from '../../routing/document-title.ts';
import { paths } from '../../routing/paths.ts';
import { layoutText } from '../../text/layout.ts';
import { Logo } from '../../ui/page/logo.tsx';
import { MenuButton, type MenuEntry } from '../../ui/menu/menu-button.tsx';
import { themeModes } from '../../ui/theme/stored-theme.ts';
import { useThemeMode } from '../../ui/theme/theme-mode.tsx';
import styles from './layout.module.css';

const themeIcons = { auto: <DesktopOutlined />, light: <SunOutlined />, dark: <MoonOutlined /> };

function ThemeSwitch() {
  const { mode, setMode } = useThemeMode();
  const entries = themeModes.map((key) => ({
    key,
    icon: themeIcons[key],
    label: layoutText.themeMode[key],
    isChosen: key === mode,
    onSelect: () => setMode(key),
  }));
  const label = `${layoutText.theme}：${layoutText.themeMode[mode]}`;
  return <MenuButton type="text" entries={entries} icon={themeIcons[mode]} aria-label={label} title={label} />;
}

type UserMenuProps = { username: string; onLogOut: () => void };

function UserMenu({ username, onLogOut }: UserMenuProps) {
  const navigate = useNavigate();
  const entries: MenuEntry[] = [
    { key: 'info', icon: <UserOutlined />, label: layoutText.userInfo, onSelect: () => void navigate(paths.userInfo) },
    'divider',
    { key: 'logout', icon: <LogoutOutlined />, label: layoutText.logout, onSelect: onLogOut },
  ];
  return (
    <MenuButton
      type="text"
      entries={entries}
      className={styles.userButton ?? ''}
      aria-label={`${layoutText.userMenu}：${username}`}
    >
      <Avatar size={26} icon={<UserOutlined />} className={styles.avatar ?? ''} />
      <bdi className={styles.username}>{username}</bdi>
      <DownOutlined className={styles.caret ?? ''} />
    </MenuButton>
  );
}

export function TopBar({ tools, onLogOut }: { tools: ReactNode; onLogOut: () => void }) {
  const profile = useProfile();
  return (
    <header className={styles.topBar}>
      <span className={styles.phoneBrand}>
        <Logo sizePx={28} />
        <strong>{productName}</strong>
      </span>
      {profile && (
        <>
          <span className={styles.topActions}>
            {tools}
            <ThemeSwitch />
            <UserMenu username={profile.username} onLogOut={onLogOut} />
          </span>
        </>
      )}
    </header>
  );
}

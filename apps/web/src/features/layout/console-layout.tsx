import { LogoutOutlined } from '@ant-design/icons';
import { type ReactNode, Suspense } from 'react';
import { Outlet } from 'react-router';
import { layoutText } from '../../text/layout.ts';
import { FullPage } from '../../ui/page/full-page.tsx';
import { PageSkeleton } from '../../ui/page/page-skeleton.tsx';
import { StatusCard } from '../../ui/page/status-card.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import styles from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';
import { useConnection } from './use-connection.ts';
import { useLogout } from './use-logout.ts';
import { useSessionWatch } from './use-session-watch.ts';

type ConsoleLayoutProps = {
  /** Notices above every screen. */
  notice: ReactNode;
  /** Buttons of the top bar. */
  tools: ReactNode;
  children: ReactNode;
};

export function ConsoleLayout(props: ConsoleLayoutProps) {
  const { isLoggingOut, logOut } = useLogout();
  // The frame must be unmounted, or the session watch would report the logout as a lost session.
  return isLoggingOut ? <LoggingOut /> : <Frame {...props} onLogOut={logOut} />;
}

function Frame({ notice, tools, children, onLogOut }: ConsoleLayoutProps & { onLogOut: () => void }) {
  useSessionWatch();
  const connection = useConnection();
  return (
    <div className={styles.console}>
      <a className={styles.skip} href="#content" onClick={focusContent}>
        {layoutText.skipToContent}
      </a>
      <Navigation />
      <div className={styles.body}>
        <TopBar tools={tools} onLogOut={onLogOut} />
        <div aria-live="assertive">
          <ConnectionNotice connection={connection} />
        </div>
        {notice}
        <main
          id="content"
          tabIndex={-1}
          className={`${styles.content} ${connection === 'connected' ? '' : styles.stale}`}
        >
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {children}
    </div>
  );
}

function LoggingOut() {
  return (
    <FullPage>
      <StatusCard tone="accent" icon={<LogoutOutlined />} title={layoutText.loggingOut} />
    </FullPage>
  );
}

/** The router owns the address's fragment, so the link moves the focus instead. */
function focusContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

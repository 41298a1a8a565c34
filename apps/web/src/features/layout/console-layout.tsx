import { LogoutOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { type ReactNode, Suspense } from 'react';
import { Outlet } from 'react-router';
import { layoutText } from '../../text/layout.ts';
import { FullPage } from '../../ui/full-page.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { StatusCard } from '../../ui/status-card.tsx';
import styles from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';
import { useConnection } from './use-connection.ts';
import { useLogout } from './use-logout.ts';
import { useSessionWatch } from './use-session-watch.ts';

type ConsoleLayoutProps = {
  /** What must be seen on every screen, below the top bar. */
  notice: ReactNode;
  children: ReactNode;
};

export function ConsoleLayout(props: ConsoleLayoutProps) {
  const { isLoggingOut, logOut } = useLogout();
  // Nothing of the frame stays, or what watches the session would call its end a loss.
  return isLoggingOut ? <LoggingOut /> : <Frame {...props} onLogOut={logOut} />;
}

function Frame({ notice, children, onLogOut }: ConsoleLayoutProps & { onLogOut: () => void }) {
  useSessionWatch();
  const isConnected = useConnection();
  return (
    <div className={styles.console}>
      <a className={styles.skip} href="#content" onClick={focusContent}>
        {layoutText.skipToContent}
      </a>
      <Navigation />
      <div className={styles.body}>
        <TopBar onLogOut={onLogOut} />
        <div aria-live="assertive">
          {!isConnected && <Alert banner type="warning" title={layoutText.connectionLost} />}
        </div>
        {notice}
        <main id="content" tabIndex={-1} className={styles.content}>
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

/** The address's fragment belongs to the router, so the link moves the focus instead of the address. */
function focusContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

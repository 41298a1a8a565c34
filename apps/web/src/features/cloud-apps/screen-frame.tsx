import { FullscreenExitOutlined, FullscreenOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { appPageText } from '../../text/cloud-apps/app-page.ts';
import { appKindWords } from '../../text/cloud-apps/cloud-apps.ts';
import styles from './app-page.module.css';
import { useFullScreen } from './use-full-screen.ts';
import { useVisibleHeight } from './use-visible-height.ts';

type ScreenFrameProps = {
  app: CloudApp;
  /** The screen's own buttons in the bar. */
  tools: ReactNode;
  /** Lines below the bar. */
  notices: ReactNode;
  children: ReactNode;
};

/** The bar above an open app, and the room below it. */
export function ScreenFrame({ app, tools, notices, children }: ScreenFrameProps) {
  const fullScreen = useFullScreen();
  const word = fullScreen.isOn ? appPageText.leaveFullScreen : appPageText.fullScreen;
  return (
    <main className={styles.frame} style={useVisibleHeight()}>
      <header className={styles.bar}>
        <h1 className={styles.title}>
          <bdi>{app.name}</bdi>
          <small>
            {appKindWords[app.kind]} <bdi>{appPageText.onDevice(app.router_name)}</bdi>
          </small>
        </h1>
        <span className={styles.tools}>
          {tools}
          {fullScreen.isPossible && (
            <Button
              type="text"
              size="small"
              icon={fullScreen.isOn ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
              onClick={fullScreen.toggle}
              aria-label={word}
              title={word}
            />
          )}
        </span>
      </header>
      {notices}
      <div className={styles.content}>{children}</div>
    </main>
  );
}

import { DisconnectOutlined, ExclamationCircleOutlined, LoadingOutlined } from '@ant-design/icons';
import { App as AntApp, Button, Spin } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import { Suspense, useEffect } from 'react';
import { Navigate, useNavigate, useParams, useSearchParams } from 'react-router';
import { appScreens } from '../../routing/app-screens.ts';
import { documentTitle } from '../../routing/document-title.ts';
import { paths, wakePath } from '../../routing/paths.ts';
import { appPageText } from '../../text/cloud-apps/app-page.ts';
import { QuestionProvider } from '../../ui/dialog/question-provider.tsx';
import { FullPage } from '../../ui/page/full-page.tsx';
import { StatusCard } from '../../ui/page/status-card.tsx';
import { ConfirmProvider } from '../confirm/confirm-provider.tsx';
import connectingStyles from './connecting/connecting.module.css';
import styles from './app-page.module.css';
import { type AppSessionState, useAppSession } from './use-app-session.ts';
import { useNoStrayDrops } from './use-no-stray-drops.ts';
import { mayBeOff, WakeAndOpenButton } from './waking/wake-and-open-button.tsx';

/** A cloud app in a tab of its own, without the console's frame. */
export function AppPage() {
  const id = Number(useParams()['id']);
  useNoStrayDrops();
  return (
    <AntApp message={{ maxCount: 3 }} className={styles.page ?? ''}>
      <QuestionProvider>
        <ConfirmProvider>
          <OpenApp key={id} id={id} />
        </ConfirmProvider>
      </QuestionProvider>
    </AntApp>
  );
}

function OpenApp({ id }: { id: number }) {
  const [search] = useSearchParams();
  const { state, session, open, openFresh, end } = useAppSession(id, Number(search.get('resume')) || undefined);
  const name = session?.app.name;
  useEffect(() => {
    if (name !== undefined) document.title = documentTitle(appPageText.titleOf(name));
  }, [name]);
  if (state.phase === 'failed' && state.code === 'cloud-app.no-sessions') return <Navigate to={wakePath(id)} replace />;
  if (session === undefined) return <Opening state={state} onRetry={open} />;
  const { app } = session;
  if (app.kind === 'wol') throw new Error('a session of an app that has none');
  const Screen = appScreens[app.kind];
  return (
    <Suspense fallback={<Opening state={{ phase: 'opening' }} />}>
      <Screen
        session={session}
        onEnded={end}
        onFresh={openFresh}
        notice={state.phase !== 'open' && <EndNotice app={app} state={state} onReconnect={open} />}
      />
    </Suspense>
  );
}

function Opening({ state, onRetry }: { state: AppSessionState; onRetry?: () => void }) {
  const navigate = useNavigate();
  if (!('text' in state)) {
    return (
      <FullPage>
        <StatusCard tone="accent" icon={<Spin />} title={appPageText.opening} />
      </FullPage>
    );
  }
  return (
    <FullPage>
      <StatusCard
        tone="error"
        icon={<ExclamationCircleOutlined />}
        title={appPageText.openFailed}
        description={state.text}
        actions={
          <>
            {onRetry && (
              <Button type="primary" size="large" onClick={onRetry}>
                {appPageText.retry}
              </Button>
            )}
            <Button size="large" onClick={() => void navigate(paths.devices)}>
              {appPageText.toDevices}
            </Button>
          </>
        }
      />
    </FullPage>
  );
}

/** Above the screen of a session that has ended. */
function EndNotice({ app, state, onReconnect }: { app: CloudApp; state: AppSessionState; onReconnect: () => void }) {
  const isOpening = state.phase === 'opening';
  return (
    <div className={connectingStyles.line} role="alert">
      <span aria-hidden>{isOpening ? <LoadingOutlined /> : <DisconnectOutlined />}</span>
      <span className={connectingStyles.lineText}>{'text' in state ? state.text : appPageText.reconnecting}</span>
      {state.phase === 'ended' && mayBeOff(state.reason) && <WakeAndOpenButton app={app} size="small" />}
      <Button type="primary" size="small" loading={isOpening} onClick={onReconnect}>
        {appPageText.reconnect}
      </Button>
    </div>
  );
}

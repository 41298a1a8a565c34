import { ExclamationCircleOutlined } from '@ant-design/icons';
import { App as AntApp, Button, Spin } from 'antd';
import { useEffect } from 'react';
import { useNavigate, useParams } from 'react-router';
import { errorText } from '../../../api/index.ts';
import { documentTitle } from '../../../routing/document-title.ts';
import { paths } from '../../../routing/paths.ts';
import { wakingText } from '../../../text/cloud-apps/waking.ts';
import { QuestionProvider } from '../../../ui/dialog/question-provider.tsx';
import { FullPage } from '../../../ui/page/full-page.tsx';
import { StatusCard } from '../../../ui/page/status-card.tsx';
import { ConfirmProvider } from '../../confirm/confirm-provider.tsx';
import { useWokenApp } from './use-host.ts';
import { WakeCard } from './wake-card.tsx';
import styles from './waking.module.css';

/** Wakes the host of a cloud app, in a tab of its own that can be bookmarked. */
export function WakePage() {
  const id = Number(useParams()['id']);
  return (
    <AntApp message={{ maxCount: 3 }} className={styles.page ?? ''}>
      <QuestionProvider>
        <ConfirmProvider>
          <FullPage>
            <WokenApp key={id} id={id} />
          </FullPage>
        </ConfirmProvider>
      </QuestionProvider>
    </AntApp>
  );
}

function WokenApp({ id }: { id: number }) {
  const navigate = useNavigate();
  const { data: app, error } = useWokenApp(id);
  const name = app?.name;
  useEffect(() => {
    if (name !== undefined) document.title = documentTitle(wakingText.titleOf(name));
  }, [name]);
  if (app) return <WakeCard app={app} />;
  if (app === undefined && !error) return <StatusCard tone="accent" icon={<Spin />} title={wakingText.loading} />;
  return (
    <StatusCard
      tone="error"
      icon={<ExclamationCircleOutlined />}
      title={wakingText.loadFailed}
      description={error ? errorText(error) : wakingText.notFound}
      actions={
        <Button size="large" onClick={() => void navigate(paths.devices)}>
          {wakingText.toDevices}
        </Button>
      }
    />
  );
}

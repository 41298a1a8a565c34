import { DisconnectOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRouteError } from 'react-router';
import { ApiError, errorText } from './api/index.ts';
import { sharedText } from './text/shared.ts';
import { FullPage } from './ui/full-page.tsx';
import { StatusCard } from './ui/status-card.tsx';

/** A screen that could not be loaded: the server did not answer, or its files were replaced by a newer version. */
export function RouteError() {
  const error = useRouteError();
  return (
    <FullPage>
      <StatusCard
        tone="error"
        icon={<DisconnectOutlined />}
        title={sharedText.pageFailed}
        description={error instanceof ApiError ? errorText(error) : sharedText.pageOutdated}
        actions={
          <Button type="primary" onClick={() => window.location.reload()}>
            {sharedText.reload}
          </Button>
        }
      />
    </FullPage>
  );
}

import { DisconnectOutlined } from '@ant-design/icons';
import { Button, Flex } from 'antd';
import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { ApiError, errorText, isFailedImport, type Reachability, useIsOnline, useReachability } from '../api/index.ts';
import { sharedText } from '../text/shared.ts';
import { FullPage } from '../ui/page/full-page.tsx';
import { StatusCard } from '../ui/page/status-card.tsx';

function isAnswer(error: unknown): boolean {
  return error instanceof ApiError && (error.failure.type === 'problem' || error.failure.type === 'unreadable');
}

const reloadEveryMs = 4000;

/**
 * Reloads when the server answers again, which may take more than one attempt, and once if a newer version has replaced
 * the screen's files. An earlier reload would show the browser's own error page, which never retries.
 */
function useReload(error: unknown, reachability: Reachability): void {
  const wasUnreachable = useRef(false);
  useEffect(() => {
    if (reachability === 'unreachable') wasUnreachable.current = true;
    const isWanted = wasUnreachable.current || isFailedImport(error);
    if (reachability !== 'reached' || !isWanted) return undefined;
    const reload = () => void window.tongtu?.reloadIfServed();
    reload();
    if (!wasUnreachable.current) return undefined;
    const timer = setInterval(reload, reloadEveryMs);
    return () => clearInterval(timer);
  }, [error, reachability]);
}

/** Shown when a screen failed: the server did not answer, a newer version has replaced its files, or it cannot be drawn. */
function Failure() {
  const error = useRouteError();
  const { reachability, look } = useReachability(!isAnswer(error));
  const isOnline = useIsOnline();
  useReload(error, reachability);
  if (reachability === 'unreachable') {
    return (
      <StatusCard
        tone="error"
        icon={<DisconnectOutlined />}
        title={isOnline ? sharedText.serverAway : sharedText.disconnected}
        description={isOnline ? sharedText.serverAwayHint : sharedText.disconnectedHint}
        actions={
          <Button type="primary" onClick={look}>
            {sharedText.retry}
          </Button>
        }
      />
    );
  }
  return (
    <StatusCard
      tone="error"
      icon={<DisconnectOutlined />}
      title={sharedText.pageFailed}
      description={isFailedImport(error) ? sharedText.pageOutdated : errorText(error)}
      actions={
        <Button type="primary" onClick={() => window.location.reload()}>
          {sharedText.reload}
        </Button>
      }
    />
  );
}

export function RouteError() {
  return (
    <FullPage>
      <Failure />
    </FullPage>
  );
}

/** The same for a screen inside the console's frame, which stays visible. */
export function ScreenError() {
  return (
    <Flex justify="center">
      <Failure />
    </Flex>
  );
}

import { WarningOutlined } from '@ant-design/icons-svg';
import { useCallback, useEffect, useState } from 'react';
import { isFailedImport } from '../api/client/failed-import.ts';
import { failureText } from '../text/failure.ts';
import { startText } from '../text/gate/start.ts';
import { FullPage } from '../ui/page/full-page.tsx';
import { PlainButton } from '../ui/plain/plain-button.tsx';
import { PlainIcon } from '../ui/plain/plain-icon.tsx';
import { plainText } from '../ui/plain/plain-text.ts';
import { StatusCard } from '../ui/page/status-card.tsx';

const lookEveryMs = 4000;

/** Reloads the page once the server answers. */
function useReload({ isWanted }: { isWanted: boolean }) {
  const [isAway, setIsAway] = useState(false);
  const look = useCallback(() => void window.tongtu?.reloadIfServed().then((isServed) => setIsAway(!isServed)), []);
  useEffect(() => {
    if (!isWanted) return undefined;
    look();
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, [isWanted, look]);
  return { isAway, look };
}

/** Shown in place of a page that failed: its files did not arrive, or it cannot be drawn. */
export function NotLoaded({ error }: { error: unknown }) {
  const areFilesMissing = isFailedImport(error);
  const { isAway, look } = useReload({ isWanted: areFilesMissing });
  const hint = areFilesMissing ? startText.notLoadedHint : failureText.unexpected;
  return (
    <FullPage>
      <StatusCard
        tone="error"
        icon={<PlainIcon of={WarningOutlined} />}
        title={isAway ? startText.serverAway : startText.notLoaded}
        description={isAway ? startText.serverAwayHint : hint}
        actions={
          <PlainButton type="primary" onClick={() => (isAway ? look() : window.location.reload())}>
            {isAway ? plainText.retry : startText.reload}
          </PlainButton>
        }
      />
    </FullPage>
  );
}

import { Button } from 'antd';
import type { CloudApp } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { openPath } from '../../../routing/paths.ts';
import { cloudAppsText } from '../../../text/cloud-apps/cloud-apps.ts';

/** Opens the app in a tab of its own. It is a link, so it can also be copied and bookmarked. */
export function OpenAppButton({ app, icon }: { app: CloudApp; icon?: ReactNode }) {
  const isWake = app.kind === 'wol';
  return (
    <Button
      size="small"
      icon={icon}
      href={`#${openPath(app)}`}
      target="_blank"
      rel="noopener"
      disabled={!app.enabled}
      aria-label={isWake ? cloudAppsText.wakeLabel(app.name) : cloudAppsText.openLabel(app.name)}
    >
      {isWake ? cloudAppsText.wake : cloudAppsText.open}
    </Button>
  );
}

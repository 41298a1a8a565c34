import { WarningOutlined } from '@ant-design/icons-svg';
import { checkText } from '../../text/check.ts';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { StatusCard } from '../../ui/status-card.tsx';
import { uiText } from '../../ui/ui-text.ts';
import type { GateDeps } from './gate-deps.ts';
import { HomeButton } from './home-button.tsx';

type CookieBlockedProps = { deps: GateDeps; url: string; onRetry: () => void };

/** Ends the redirects between the gate and an address whose cookie the browser does not store. */
export function CookieBlocked({ deps, url, onRetry }: CookieBlockedProps) {
  const domain = URL.canParse(url) ? new URL(url).hostname : url;
  return (
    <StatusCard
      tone="caution"
      icon={<PlainIcon of={WarningOutlined} />}
      title={checkText.cookieBlockedTitle}
      description={checkText.cookieBlocked(domain)}
      actions={
        <>
          <PlainButton type="primary" onClick={onRetry}>
            {uiText.retry}
          </PlainButton>
          <HomeButton deps={deps} />
        </>
      }
    />
  );
}

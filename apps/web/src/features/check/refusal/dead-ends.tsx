import { LinkOutlined, WarningOutlined } from '@ant-design/icons-svg';
import { checkText } from '../../../text/gate/check.ts';
import { PlainButton } from '../../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../../ui/plain/plain-icon.tsx';
import { plainText } from '../../../ui/plain/plain-text.ts';
import { StatusCard } from '../../../ui/page/status-card.tsx';
import type { GateDeps } from '../gate-deps.ts';
import { HomeButton } from '../home-button.tsx';

/** The gate was opened without an address. */
export function NoUrl({ deps }: { deps: GateDeps }) {
  return (
    <StatusCard
      tone="caution"
      icon={<PlainIcon of={LinkOutlined} />}
      title={checkText.noUrlTitle}
      description={checkText.noUrl}
      actions={<HomeButton deps={deps} />}
    />
  );
}

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
            {plainText.retry}
          </PlainButton>
          <HomeButton deps={deps} />
        </>
      }
    />
  );
}

import { WarningOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { HomeButton } from '../../home-button.tsx';
import { checkText } from '../../text/check.ts';
import { sharedText } from '../../text/shared.ts';
import { StatusCard } from '../../ui/status-card.tsx';

type CookieBlockedProps = { url: string; onRetry: () => void };

/** Ends the redirects between the gate and an address whose cookie the browser does not store. */
export function CookieBlocked({ url, onRetry }: CookieBlockedProps) {
  const domain = URL.canParse(url) ? new URL(url).hostname : url;
  return (
    <StatusCard
      tone="caution"
      icon={<WarningOutlined />}
      title={checkText.cookieBlockedTitle}
      description={checkText.cookieBlocked(domain)}
      actions={
        <>
          <Button type="primary" onClick={onRetry}>
            {sharedText.retry}
          </Button>
          <HomeButton />
        </>
      }
    />
  );
}

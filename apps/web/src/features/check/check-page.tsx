import { LinkOutlined, SafetyCertificateOutlined, WarningOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import type { CheckReply } from '@tongtu/contract';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { errorCode, errorText } from '../../api/index.ts';
import { isWebUrl } from '../../guards.ts';
import { paths } from '../../paths.ts';
import { checkText } from '../../text/check.ts';
import { sharedText } from '../../text/shared.ts';
import { FullPage } from '../../ui/full-page.tsx';
import { Mono } from '../../ui/mono.tsx';
import { StatusCard } from '../../ui/status-card.tsx';
import { Refusal } from './refusal.tsx';
import { useCheck, useLoginFor } from './use-check.ts';

function HomeButton() {
  const navigate = useNavigate();
  return <Button onClick={() => void navigate(paths.home)}>{sharedText.home}</Button>;
}

function Waiting({ text, domain }: { text: string; domain: string | undefined }) {
  return (
    <StatusCard
      tone="accent"
      icon={<SafetyCertificateOutlined />}
      title={text}
      description={
        <>
          {domain !== undefined && <Mono>{domain}</Mono>}
          <div>
            <Spin />
          </div>
        </>
      }
    />
  );
}

/** Where the reply lets the browser go; undefined when it may not. */
function openableUrl(reply: CheckReply | undefined): string | undefined {
  if (!reply?.allowed) return undefined;
  const url = reply.redirect ?? reply.url;
  return isWebUrl(url) ? url : undefined;
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isForbidden = errorCode(error) === 'gate.url-not-allowed';
  return (
    <StatusCard
      tone="error"
      icon={<WarningOutlined />}
      title={isForbidden ? checkText.urlNotAllowedTitle : checkText.failedTitle}
      description={errorText(error)}
      actions={
        <>
          {!isForbidden && (
            <Button type="primary" onClick={onRetry}>
              {sharedText.retry}
            </Button>
          )}
          <HomeButton />
        </>
      }
    />
  );
}

function Check({ url }: { url: string }) {
  const { data: reply, error, refetch } = useCheck(url);
  const goToLogin = useLoginFor(url);
  const leaveTo = openableUrl(reply);
  const mustLogIn = reply !== undefined && leaveTo === undefined && !reply.logged_in;

  useEffect(() => {
    if (leaveTo !== undefined) window.location.replace(leaveTo);
    else if (mustLogIn) goToLogin();
    // oxlint-disable-next-line react/exhaustive-deps -- goToLogin is made anew by every render; once is enough
  }, [leaveTo, mustLogIn]);

  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (reply === undefined || mustLogIn) return <Waiting text={checkText.checking} domain={reply?.domain} />;
  if (leaveTo !== undefined) return <Waiting text={checkText.opening} domain={reply.domain} />;
  return <Refusal reply={reply} url={url} homeButton={<HomeButton />} />;
}

/** The visitor gate's page (product §3): may the person at this browser open `url`? */
export function CheckPage() {
  const [search] = useSearchParams();
  const url = search.get('url') ?? '';
  return (
    <FullPage>
      {url === '' ? (
        <StatusCard
          tone="caution"
          icon={<LinkOutlined />}
          title={checkText.noUrlTitle}
          description={checkText.noUrl}
          actions={<HomeButton />}
        />
      ) : (
        <Check key={url} url={url} />
      )}
    </FullPage>
  );
}

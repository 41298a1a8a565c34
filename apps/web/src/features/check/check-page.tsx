import { LinkOutlined, SafetyCertificateOutlined, WarningOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import type { CheckReply } from '@tongtu/contract';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorCode, errorText } from '../../api/index.ts';
import { isOpenable } from '../../guards.ts';
import { HomeButton } from '../../home-button.tsx';
import { checkText } from '../../text/check.ts';
import { sharedText } from '../../text/shared.ts';
import { FullPage } from '../../ui/full-page.tsx';
import { Mono } from '../../ui/mono.tsx';
import { StatusCard } from '../../ui/status-card.tsx';
import { PasswordGate } from './password-gate.tsx';
import { CookieBlocked } from './cookie-blocked.tsx';
import { Refusal } from './refusal.tsx';
import { countRedirect, forgetRedirects, isRedirectLoop } from './redirect-loop.ts';
import { useRecheck, useCheck, useLoginFor, type Visit } from './use-check.ts';
import { useWaitForDevice } from './use-wait-for-device.ts';

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

/** The address to which the reply redirects; undefined without one. */
function openableUrl(reply: CheckReply | undefined): string | undefined {
  if (!reply?.allowed) return undefined;
  const url = reply.redirect ?? reply.url;
  return isOpenable(url, window.location.href) ? url : undefined;
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

function Check({ visit }: { visit: Visit }) {
  const { data: reply, dataUpdatedAt, error, isFetching, refetch } = useCheck(visit);
  const recheck = useRecheck(visit);
  const goToLogin = useLoginFor(visit.url);
  const openable = openableUrl(reply);
  // The relay would only say that the device is offline. The gate says so itself, with the reason.
  const leaveTo = reply?.reason === 'device_offline' ? undefined : openable;
  const mustLogIn = reply?.reason === 'login_required';

  useEffect(() => {
    leave(leaveTo);
    if (mustLogIn) goToLogin();
    // oxlint-disable-next-line react/exhaustive-deps -- goToLogin changes with every render; it must run once
  }, [leaveTo, mustLogIn]);

  /**
   * With a new ticket: the first one may have expired. A visitor by password has only the first one, because a new
   * check would ask for the password again.
   */
  async function openAnyway() {
    leave((await findFreshUrl()) ?? openable);
  }
  /** After the wait the first ticket has expired, and the answer may have changed. */
  async function openAgain() {
    const fresh = await findFreshUrl();
    if (fresh === undefined) await refetch();
    else leave(fresh);
  }
  async function findFreshUrl(): Promise<string | undefined> {
    return openableUrl(await recheck.mutateAsync().catch(() => undefined));
  }
  function leave(to: string | undefined) {
    if (to === undefined) return;
    countRedirect(visit.url, Date.now());
    window.location.replace(to);
  }
  useWaitForDevice({
    reply,
    askedAtMs: dataUpdatedAt,
    onOnline: () => void openAgain(),
    onOtherRefusal: () => void refetch(),
  });

  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (reply === undefined || mustLogIn) return <Waiting text={checkText.checking} domain={reply?.domain} />;
  if (leaveTo !== undefined) return <Waiting text={checkText.opening} domain={reply.domain} />;
  if (reply.reason === 'password_required') return <PasswordGate reply={reply} visit={visit} />;
  return (
    <Refusal
      reply={reply}
      visit={visit}
      isAsking={isFetching}
      onAgain={() => void refetch()}
      onOpenAnyway={() => void openAnyway()}
    />
  );
}

/** Stops the redirects when the browser has returned several times; otherwise they would never end. */
function CheckUnlessLooping({ visit }: { visit: Visit }) {
  const [isStopped, setIsStopped] = useState(() => isRedirectLoop(visit.url, Date.now()));
  if (!isStopped) return <Check visit={visit} />;
  const retry = () => {
    forgetRedirects();
    setIsStopped(false);
  };
  return <CookieBlocked url={visit.url} onRetry={retry} />;
}

/** The visitor gate: may this browser open `url`? */
export function CheckPage() {
  const [search] = useSearchParams();
  const url = search.get('url') ?? '';
  const share = search.get('share') || undefined;
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
        <CheckUnlessLooping key={`${url} ${share}`} visit={{ url, share }} />
      )}
    </FullPage>
  );
}

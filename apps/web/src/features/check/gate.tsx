import { LinkOutlined, WarningOutlined } from '@ant-design/icons-svg';
import type { CheckReply } from '@tongtu/contract';
import { lazy, Suspense, useEffect, useState } from 'react';
import { errorCode } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { isOpenable } from '../../guards.ts';
import { checkText } from '../../text/check.ts';
import { uiText } from '../../ui/ui-text.ts';
import { FullPage } from '../../ui/full-page.tsx';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { StatusCard } from '../../ui/status-card.tsx';
import { CookieBlocked } from './cookie-blocked.tsx';
import type { GateDeps, Visit } from './gate-deps.ts';
import { GateLogin } from './gate-login.tsx';
import { HomeButton } from './home-button.tsx';
import { countRedirect, forgetRedirects, isRedirectLoop } from './redirect-loop.ts';
import { useAnswer } from './use-answer.ts';
import { fetchCheck } from './use-check.ts';
import { useWaitForDevice } from './use-wait-for-device.ts';
import { Waiting } from './waiting.tsx';

/** Most visitors log in or pass at once, and see neither. */
const PasswordGate = lazy(async () => ({ default: (await import('./password-gate.tsx')).PasswordGate }));
const Refusal = lazy(async () => ({ default: (await import('./refusal.tsx')).Refusal }));

/** The address to which the reply redirects; undefined without one. */
function openableUrl(reply: CheckReply | undefined): string | undefined {
  if (!reply?.allowed) return undefined;
  const url = reply.redirect ?? reply.url;
  return isOpenable(url, window.location.href) ? url : undefined;
}

type FailedProps = { deps: GateDeps; error: unknown; onRetry: () => void };

function Failed({ deps, error, onRetry }: FailedProps) {
  const isForbidden = errorCode(error) === 'gate.url-not-allowed';
  return (
    <StatusCard
      tone="error"
      icon={<PlainIcon of={WarningOutlined} />}
      title={isForbidden ? checkText.urlNotAllowedTitle : checkText.failedTitle}
      description={errorText(error)}
      actions={
        <>
          {!isForbidden && (
            <PlainButton type="primary" onClick={onRetry}>
              {uiText.retry}
            </PlainButton>
          )}
          <HomeButton deps={deps} />
        </>
      }
    />
  );
}

/** Refusals that may have been lifted when the user returns to this tab. */
function isRefusal(reply: CheckReply | undefined): boolean {
  if (reply === undefined || reply.allowed) return false;
  return reply.reason !== 'password_required' && reply.reason !== 'login_required';
}

/**
 * Checks once, because every admission has a ticket for one use. After a refusal it checks again when the user returns.
 */
function useCheck(deps: GateDeps, visit: Visit) {
  const [wasRefused, setWasRefused] = useState(false);
  const {
    data: reply,
    error,
    isAsking,
    askAgain,
    replace,
  } = useAnswer('check', (signal) => fetchCheck(deps, visit, signal), { isAskedOnReturn: wasRefused });
  const isRefused = isRefusal(reply);
  if (isRefused !== wasRefused) setWasRefused(isRefused);
  return { reply, error, isAsking, askAgain, replace };
}

type CheckProps = { deps: GateDeps; visit: Visit };

function Check({ deps, visit }: CheckProps) {
  const { reply, error, isAsking, askAgain, replace } = useCheck(deps, visit);
  const [isLoggingIn, setIsLoggingIn] = useState(false);
  const openable = openableUrl(reply);
  // The relay would only say that the device is offline. The gate says so itself, with the reason.
  const leaveTo = reply?.reason === 'device_offline' ? undefined : openable;

  useEffect(() => {
    leave(leaveTo);
    // oxlint-disable-next-line react/exhaustive-deps -- it leaves once for each address
  }, [leaveTo]);

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
    if (fresh === undefined) askAgain();
    else leave(fresh);
  }
  async function findFreshUrl(): Promise<string | undefined> {
    return openableUrl(await fetchCheck(deps, visit).catch(() => undefined));
  }
  function leave(to: string | undefined) {
    if (to === undefined) return;
    countRedirect(visit.url, Date.now());
    window.location.replace(to);
  }
  useWaitForDevice({ deps, reply, onOnline: () => void openAgain(), onOtherRefusal: askAgain });

  if (error !== undefined) return <Failed deps={deps} error={error} onRetry={askAgain} />;
  if (reply === undefined) return <Waiting text={checkText.checking} domain={undefined} />;
  if (leaveTo !== undefined) return <Waiting text={checkText.opening} domain={reply.domain} />;
  if (reply.reason === 'login_required' || isLoggingIn) {
    const onLoggedIn = () => {
      setIsLoggingIn(false);
      askAgain();
    };
    return <GateLogin deps={deps} visit={visit} domain={reply.domain} onLoggedIn={onLoggedIn} />;
  }
  const shared = { deps, reply, visit, onLogIn: () => setIsLoggingIn(true) };
  return (
    <Suspense fallback={<Waiting text={checkText.checking} domain={reply.domain} />}>
      {reply.reason === 'password_required' ? (
        <PasswordGate {...shared} onReply={replace} />
      ) : (
        <Refusal {...shared} isAsking={isAsking} onAgain={askAgain} onOpenAnyway={() => void openAnyway()} />
      )}
    </Suspense>
  );
}

/** Stops the redirects when the browser has returned several times; otherwise they would never end. */
function CheckUnlessLooping({ deps, visit }: CheckProps) {
  const [isStopped, setIsStopped] = useState(() => isRedirectLoop(visit.url, Date.now()));
  if (!isStopped) return <Check deps={deps} visit={visit} />;
  const retry = () => {
    forgetRedirects();
    setIsStopped(false);
  };
  return <CookieBlocked deps={deps} url={visit.url} onRetry={retry} />;
}

/** The visitor gate: may this browser open `url`? It needs no component library and no router. */
export function Gate({ deps, visit }: CheckProps) {
  return (
    <FullPage>
      {visit.url === '' ? (
        <StatusCard
          tone="caution"
          icon={<PlainIcon of={LinkOutlined} />}
          title={checkText.noUrlTitle}
          description={checkText.noUrl}
          actions={<HomeButton deps={deps} />}
        />
      ) : (
        <CheckUnlessLooping key={`${visit.url} ${visit.share}`} deps={deps} visit={visit} />
      )}
    </FullPage>
  );
}

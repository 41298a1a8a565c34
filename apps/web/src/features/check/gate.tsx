import { WarningOutlined } from '@ant-design/icons-svg';
import { lazy, Suspense, useEffect, useState } from 'react';
import { errorCode } from '../../api/client/api-error.ts';
import { errorText } from '../../api/client/error-text.ts';
import { gateText } from '../../text/gate/gate.ts';
import { FullPage } from '../../ui/page/full-page.tsx';
import { PlainButton } from '../../ui/plain/plain-button.tsx';
import { PlainIcon } from '../../ui/plain/plain-icon.tsx';
import { plainText } from '../../ui/plain/plain-text.ts';
import { StatusCard } from '../../ui/page/status-card.tsx';
import { fetchCheck, openableUrl } from './fetch-check.ts';
import type { GateDeps, Visit } from './gate-deps.ts';
import { GateLogin } from './gate-login.tsx';
import { HomeButton } from './home-button.tsx';
import { countRedirect, forgetRedirects, isRedirectLoop } from './refusal/redirect-loop.ts';
import { useAnswer } from './use-answer.ts';
import { Waiting } from './waiting.tsx';

/** Most visitors log in or pass at once, and see none of these. */
const PasswordGate = lazy(async () => ({ default: (await import('./password-gate.tsx')).PasswordGate }));
const Refusal = lazy(async () => ({ default: (await import('./refusal/refusal.tsx')).Refusal }));
const NoUrl = lazy(async () => ({ default: (await import('./refusal/dead-ends.tsx')).NoUrl }));
const CookieBlocked = lazy(async () => ({ default: (await import('./refusal/dead-ends.tsx')).CookieBlocked }));

type FailedProps = { deps: GateDeps; error: unknown; onRetry: () => void };

function Failed({ deps, error, onRetry }: FailedProps) {
  const isForbidden = errorCode(error) === 'gate.url-not-allowed';
  return (
    <StatusCard
      tone="error"
      icon={<PlainIcon of={WarningOutlined} />}
      title={isForbidden ? gateText.urlNotAllowedTitle : gateText.failedTitle}
      description={errorText(error)}
      actions={
        <>
          {!isForbidden && (
            <PlainButton type="primary" onClick={onRetry}>
              {plainText.retry}
            </PlainButton>
          )}
          <HomeButton deps={deps} />
        </>
      }
    />
  );
}

/**
 * Checks once, because every admission has a ticket for one use. After a refusal it checks again when the user returns:
 * they may have logged in in another tab, or the owner may have let them in.
 */
function useCheck(deps: GateDeps, visit: Visit) {
  const [wasRefused, setWasRefused] = useState(false);
  const {
    data: reply,
    error,
    isAsking,
    askAgain,
    askQuietly,
    replace,
  } = useAnswer('check', (signal) => fetchCheck(deps, visit, signal), { isAskedOnReturn: wasRefused });
  const isRefused = reply !== undefined && !reply.allowed;
  if (isRefused !== wasRefused) setWasRefused(isRefused);
  return { reply, error, isAsking, askAgain, askQuietly, replace };
}

type CheckProps = { deps: GateDeps; visit: Visit };

function Check({ deps, visit }: CheckProps) {
  const { reply, error, isAsking, askAgain, askQuietly, replace } = useCheck(deps, visit);
  const [isLoggingIn, setIsLoggingIn] = useState(false);
  // The relay would only say that the device is offline. The gate says so itself, with the reason.
  const leaveTo = reply?.reason === 'device_offline' ? undefined : openableUrl(reply);

  function leave(to: string) {
    countRedirect(visit.url, Date.now());
    window.location.replace(to);
  }
  useEffect(() => {
    if (leaveTo !== undefined) leave(leaveTo);
    // oxlint-disable-next-line react/exhaustive-deps -- it leaves once for each address
  }, [leaveTo]);

  if (error !== undefined) return <Failed deps={deps} error={error} onRetry={askAgain} />;
  if (reply === undefined) return <Waiting text={gateText.checking} domain={undefined} />;
  if (leaveTo !== undefined) return <Waiting text={gateText.opening} domain={reply.domain} />;
  if (reply.reason === 'login_required' || isLoggingIn) {
    const onLoggedIn = () => {
      setIsLoggingIn(false);
      askAgain();
    };
    return <GateLogin deps={deps} visit={visit} domain={reply.domain} onLoggedIn={onLoggedIn} />;
  }
  const shared = { deps, reply, visit, onLogIn: () => setIsLoggingIn(true) };
  return (
    <Suspense fallback={<Waiting text={gateText.checking} domain={reply.domain} />}>
      {reply.reason === 'password_required' ? (
        <PasswordGate {...shared} onReply={replace} />
      ) : (
        <Refusal {...shared} isAsking={isAsking} onAgain={askAgain} onPoll={askQuietly} onLeave={leave} />
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
      <Suspense fallback={<Waiting text={gateText.checking} domain={undefined} />}>
        {visit.url === '' ? (
          <NoUrl deps={deps} />
        ) : (
          <CheckUnlessLooping key={`${visit.url} ${visit.share}`} deps={deps} visit={visit} />
        )}
      </Suspense>
    </FullPage>
  );
}

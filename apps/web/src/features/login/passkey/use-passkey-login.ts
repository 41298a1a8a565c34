import type { AuthenticationResponseJSON } from '@simplewebauthn/browser';
import type { LoginReply } from '@tongtu/contract';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/client/api-error.ts';
import type { Call } from '../../../api/client/call-types.ts';
import { failImport } from '../../../api/client/failed-import.ts';

type Webauthn = typeof import('@simplewebauthn/browser');
type RequestOptions = Parameters<Webauthn['startAuthentication']>[0]['optionsJSON'];

/** Loaded when the form is already there. */
async function loadWebauthn(): Promise<Webauthn> {
  return await import('@simplewebauthn/browser').catch(failImport);
}

/** A challenge is valid for five minutes, but a login screen may stay open for hours. */
const renewEveryMs = 4 * 60_000;

/**
 * A passkey manager may answer the field's offer by itself, for example with a passkey that was deleted here. After so
 * many refusals in a row only the button and the next renewal ask again.
 */
const maxRefusedOffers = 3;

type PasskeyLoginInput = {
  call: Call;
  /** Completes the login. */
  onReply: (reply: LoginReply) => void;
};

/**
 * Logs in by a passkey alone: when the user presses the button, or chooses a passkey among the suggestions of the user
 * name's field (conditional mediation, WebAuthn Level 3 §5.1.7).
 */
export function usePasskeyLogin({ call, onReply }: PasskeyLoginInput) {
  const [state, setState] = useState<{ isPending: boolean; error?: unknown }>({ isPending: false });
  const autofill = useRef<AbortController>(undefined);
  const isBusy = useRef(false);
  const isShown = useRef(false);
  const refusedOffers = useRef(0);
  const deps = useRef({ call, onReply });
  useEffect(() => {
    deps.current = { call, onReply };
  });

  async function askBrowser(useBrowserAutofill: boolean, signal?: AbortSignal): Promise<AuthenticationResponseJSON> {
    const { options } = await deps.current.call('POST /custom/login/passkey_options/', signal ? { signal } : {});
    const { startAuthentication } = await loadWebauthn();
    signal?.throwIfAborted();
    // The contract passes WebAuthn's objects unchanged; the browser checks them. The field may be on another tab.
    const optionsJSON = options as unknown as RequestOptions;
    return await startAuthentication({ optionsJSON, useBrowserAutofill, verifyBrowserAutofillInput: false });
  }

  async function send(answer: AuthenticationResponseJSON): Promise<void> {
    const passkey = { ...answer, response: { ...answer.response } };
    deps.current.onReply(await deps.current.call('POST /custom/login/passkey/', { body: { passkey } }));
  }

  /** Stays pending after a success, because the page is about to change. */
  async function attempt(login: () => Promise<void>): Promise<void> {
    isBusy.current = true;
    setState({ isPending: true });
    try {
      await login();
    } catch (error) {
      isBusy.current = false;
      setState({ isPending: false, error: isStoppedByUser(error) ? undefined : error });
      restartOffer();
    }
  }

  /** Offers passkeys in the field until one is chosen. Ends silently: the button and the form stay. */
  async function offerInField(signal: AbortSignal): Promise<void> {
    const { browserSupportsWebAuthnAutofill, WebAuthnAbortService } = await loadWebauthn();
    if (!(await browserSupportsWebAuthnAutofill())) return;
    signal.throwIfAborted();
    signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony());
    const answer = await askBrowser(true, signal);
    if (signal.aborted) return;
    refusedOffers.current += 1;
    await attempt(() => send(answer));
  }

  function stopOffer(): void {
    autofill.current?.abort();
    autofill.current = undefined;
  }

  function restartOffer(): void {
    if (isBusy.current || !isShown.current || refusedOffers.current >= maxRefusedOffers) return;
    stopOffer();
    const { signal } = (autofill.current = new AbortController());
    offerInField(signal).catch(() => undefined);
  }

  useEffect(() => {
    isShown.current = true;
    restartOffer();
    const timer = setInterval(() => {
      refusedOffers.current = 0;
      restartOffer();
    }, renewEveryMs);
    return () => {
      isShown.current = false;
      clearInterval(timer);
      stopOffer();
    };
  }, []);

  async function logIn(): Promise<void> {
    stopOffer();
    await attempt(async () => await send(await askBrowser(false)));
  }
  return { ...state, logIn };
}

/** A user who closes the browser's dialog knows that. */
function isStoppedByUser(error: unknown): boolean {
  return !(error instanceof ApiError) && error instanceof Error && error.name === 'NotAllowedError';
}

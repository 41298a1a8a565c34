import type { AlgorithmMismatch, CloudApp, TargetLogin } from '@tongtu/contract';
import { hasAppField } from '@tongtu/contract/app-kinds';
import { useCallback, useEffect, useRef, useState } from 'react';
import { errorCode, errorText } from '../../../api/index.ts';
import type { ConnectResult, Wanted } from './target-calls.ts';

export type ConnectionStage =
  | { type: 'connecting' }
  | { type: 'connected'; path: string }
  | { type: 'credentials'; wanted: readonly Wanted[]; isRefused: boolean }
  | { type: 'host-key'; fingerprint: string }
  | { type: 'not-trusted' }
  | { type: 'host-key-changed'; fingerprint: string; known: string }
  | { type: 'no-common-algorithm'; mismatch: AlgorithmMismatch }
  | { type: 'failed'; text: string; code: string | undefined };

/** The calls of one session. */
type LoginClient = { connect: (body: TargetLogin) => Promise<ConnectResult> };

/** After the gateway was restarted it knows no longer what the user had entered. */
const loginCodes = new Set([
  'login.credentials-required',
  'login.host-key-unknown',
  'target.login-failed',
  'target.host-key-changed',
]);

/** Whether what has failed needs a login first. */
export function needsLogin(code: string | undefined): boolean {
  return code !== undefined && loginCodes.has(code);
}

const connecting: ConnectionStage = { type: 'connecting' };

/** The login to the target: at once for each session, and again with what the user enters. */
export function useTargetLogin(client: LoginClient, app: CloudApp) {
  const [staged, setStaged] = useState<{ client: LoginClient; stage: ConnectionStage }>({ client, stage: connecting });
  // Another session begins anew.
  if (staged.client !== client) setStaged({ client, stage: connecting });
  const asked = useRef<readonly Wanted[]>([]);
  const current = useRef(client);

  const connect = useCallback(
    async (body: TargetLogin) => {
      current.current = client;
      const show = (stage: ConnectionStage) => {
        if (current.current === client) setStaged({ client, stage });
      };
      show(connecting);
      try {
        const result = await client.connect(body);
        if (result.type === 'credentials') asked.current = result.wanted;
        show(stageOf(result, asked.current, app));
      } catch (error) {
        show({ type: 'failed', text: errorText(error), code: errorCode(error) });
      }
    },
    [client, app],
  );
  const [start] = useState(() => new WeakSet<LoginClient>());
  useEffect(() => {
    // Once for each session: a second login would end the first one.
    if (start.has(client)) return;
    start.add(client);
    void connect({});
  }, [client, connect, start]);

  return {
    stage: staged.stage,
    connect,
    /** Asks for the login again if a call has failed without it. */
    noticeError: useCallback(
      (error: unknown) => {
        if (needsLogin(errorCode(error))) void connect({});
      },
      [connect],
    ),
    trust(fingerprint: string, isTrusted: boolean) {
      if (isTrusted) void connect({ trust_host_key: fingerprint });
      else setStaged({ client, stage: { type: 'not-trusted' } });
    },
  };
}

function stageOf(result: ConnectResult, asked: readonly Wanted[], app: CloudApp): ConnectionStage {
  switch (result.type) {
    case 'refused':
      return { type: 'credentials', wanted: wantedAgain(asked, app), isRefused: true };
    case 'key-unreadable':
      return { type: 'credentials', wanted: ['passphrase'], isRefused: true };
    case 'credentials':
      return { ...result, isRefused: false };
    case 'connected':
    case 'host-key':
    case 'host-key-changed':
    case 'no-common-algorithm':
      return result;
  }
}

/** What is asked for after a refusal: the same again, or the stored password is wrong. */
function wantedAgain(asked: readonly Wanted[], app: CloudApp): readonly Wanted[] {
  if (asked.length > 0) return asked;
  const asksForUsername = hasAppField(app.kind, 'username') && app.options.username === '';
  return asksForUsername ? ['username', 'password'] : ['password'];
}

import type { AppFailure, CloudAppOpened, ScreenFromGateway } from '@tongtu/contract';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EndReason } from '../app-screen.ts';
import { socketUrl } from '../connecting/socket-url.ts';
import type {
  CredentialName,
  DesktopCredentials,
  DesktopEvents,
  DesktopProtocol,
  RemoteDesktop,
  Scaling,
} from './remote-desktop.ts';
import { ScreenControl } from './screen-control.ts';

export type DesktopStage =
  | { type: 'connecting' | 'connected' | 'ended' }
  | { type: 'credentials'; wanted: CredentialName[]; refused: boolean };

const connecting: DesktopStage = { type: 'connecting' };
/** The reason comes over another connection than the end. */
const reasonWaitMs = 2_000;

type UseDesktopInput = {
  session: CloudAppOpened;
  protocol: DesktopProtocol;
  box: RefObject<HTMLDivElement | null>;
  scaling: Scaling;
  isViewOnly: boolean;
  onEnded: (reason: EndReason) => void;
  onClipboard: (text: string) => void;
  /** The user has typed text that the target does not take, such as Chinese, or perhaps does not. */
  onTextLost: (certainty: 'certain' | 'doubtful') => void;
};

/** The connections of the current session: its control, and the desktop once the credentials are known. */
export function useDesktop({ session, protocol, box, scaling, isViewOnly, ...events }: UseDesktopInput) {
  const { onEnded, onClipboard, onTextLost } = events;
  const [staged, setStaged] = useState<{ session: CloudAppOpened; stage: DesktopStage }>({
    session,
    stage: connecting,
  });
  // Another session begins anew.
  if (staged.session !== session) setStaged({ session, stage: connecting });
  const setStage = (stage: DesktopStage) => setStaged((before) => ({ ...before, stage }));
  const [idle, setIdle] = useState<{ seconds: number; number: number }>();
  const control = useRef<ScreenControl>(undefined);
  const desktop = useRef<RemoteDesktop>(undefined);
  const textInput = useRef<'taken' | 'doubtful' | 'lost'>('taken');
  const reasonTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const closeDesktop = () => {
    desktop.current?.close();
    desktop.current = undefined;
  };
  const askAgain = (wanted: CredentialName[]) => {
    closeDesktop();
    setStage({ type: 'credentials', wanted, refused: true });
  };
  const finish = useEffectEvent((reason: EndReason) => {
    clearTimeout(reasonTimer.current);
    control.current?.close();
    desktop.current?.releaseKeys();
    closeDesktop();
    setIdle(undefined);
    setStage({ type: 'ended' });
    onEnded(reason);
  });
  /** A host may refuse a login by hanging up, so that only the gateway knows why. */
  const conclude = useEffectEvent((reason: EndReason) => {
    if (reason !== 'login-failed' || !protocol.wantedFirst(session.app)) return finish(reason);
    clearTimeout(reasonTimer.current);
    reasonTimer.current = undefined;
    return askAgain(['username', 'password']);
  });
  const onDesktopClosed = useEffectEvent((ownReason?: 'browser-too-old') => {
    desktop.current = undefined;
    if (ownReason) return finish(ownReason);
    const reason: AppFailure | undefined = control.current?.failure;
    if (reason) return conclude(reason);
    clearTimeout(reasonTimer.current);
    reasonTimer.current = setTimeout(() => finish(control.current?.failure ?? 'disconnected'), reasonWaitMs);
    return undefined;
  });
  const desktopEvents: DesktopEvents = {
    onConnected: () => setStage({ type: 'connected' }),
    onCredentialsWanted: (wanted) => setStage({ type: 'credentials', wanted, refused: false }),
    onRefused: askAgain,
    onClipboard,
    onClosed: (reason) => onDesktopClosed(reason),
  };
  const connect = useEffectEvent((credentials?: DesktopCredentials) => {
    if (!box.current || !control.current) return;
    control.current.failure = undefined;
    textInput.current = 'taken';
    const url = socketUrl(`${session.path}screen`, window.location.href);
    const { app } = session;
    desktop.current = protocol.connect({ url, app, box: box.current, credentials, scaling, isViewOnly }, desktopEvents);
  });
  const begin = useEffectEvent(() => {
    const wanted = protocol.wantedFirst(session.app);
    if (wanted) setStage({ type: 'credentials', wanted, refused: false });
    else connect();
  });
  const receive = useEffectEvent((message: ScreenFromGateway) => {
    switch (message.type) {
      case 'idle_warning':
        setIdle((before) => ({ seconds: message.seconds, number: (before?.number ?? 0) + 1 }));
        return;
      case 'no_text_input':
        textInput.current = message.certainty === 'certain' ? 'lost' : 'doubtful';
        return;
      case 'failed':
        // The end of the screen's own connection follows, unless it came before.
        if (reasonTimer.current !== undefined) conclude(message.reason);
        return;
      case 'ended':
        finish(message.reason);
    }
  });

  useEffect(() => {
    reasonTimer.current = undefined;
    const opened = new ScreenControl(socketUrl(`${session.path}control`, window.location.href), {
      onOpen: () => begin(),
      onMessage: (message) => receive(message),
      onClosed: () => finish(opened.failure ?? 'disconnected'),
    });
    control.current = opened;
    return () => {
      clearTimeout(reasonTimer.current);
      opened.close();
      desktop.current?.close();
      desktop.current = undefined;
    };
  }, [session]);

  useEffect(() => desktop.current?.setScaling(scaling), [scaling]);
  useEffect(() => desktop.current?.setViewOnly(isViewOnly), [isViewOnly]);

  return {
    stage: staged.stage,
    idle,
    desktop,
    logIn(typed: Partial<DesktopCredentials>) {
      const credentials = { username: typed.username || session.app.options.username, password: typed.password ?? '' };
      setStage(connecting);
      if (desktop.current) desktop.current.logIn(credentials);
      else connect(credentials);
    },
    /** What an input method has composed, or the keyboard of a phone. */
    typeText(text: string) {
      if (textInput.current === 'lost' && !isViewOnly) return onTextLost('certain');
      desktop.current?.typeText(text);
      if (textInput.current === 'taken' || isViewOnly || isOnAnyKeyboard(text)) return;
      textInput.current = 'taken'; // said once
      onTextLost('doubtful');
    },
    stay() {
      setIdle(undefined);
      control.current?.stay();
    },
    /** The user has done something, so that the gateway does not end the session. */
    noticeInput: () => idle && setIdle(undefined),
  };
}

function isOnAnyKeyboard(text: string): boolean {
  return [...text].every((character) => (character.codePointAt(0) ?? 0) <= 0x7f);
}

import type { CloudAppOpened } from '@tongtu/contract';
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { useThemeMode } from '../../../ui/theme/theme-mode.tsx';
import type { EndReason } from '../app-screen.ts';
import type { Credentials } from '../connecting/credentials-form.tsx';
import { socketUrl } from '../connecting/socket-url.ts';
import { TerminalConnection, type TerminalMessage } from './terminal-connection.ts';
import { TerminalEncoding, type TerminalEncodingName } from './terminal-encoding.ts';
import type { PasteStopped } from './terminal-input.ts';
import { createTerminalView, type TerminalView, type ViewEvents } from './terminal-view.ts';
import { cursorKey, type CursorKey, type Modifiers, noModifiers, withModifiers } from './touch-keys.ts';

type Message<Type extends TerminalMessage['type']> = Extract<TerminalMessage, { type: Type }>;

/** What the session waits for, or shows. */
export type TerminalStage =
  | { type: 'connecting' | 'connected' | 'ended' }
  | Message<'credentials'>
  | Message<'prompts'>
  | Message<'host_key'>
  | Message<'host_key_changed'>
  | Message<'no_common_algorithm'>;

/** They stay in sight after the end. */
const lastingStages: ReadonlySet<TerminalStage['type']> = new Set(['host_key_changed', 'no_common_algorithm']);

const connecting: TerminalStage = { type: 'connecting' };

type UseTerminalInput = {
  session: CloudAppOpened;
  box: RefObject<HTMLDivElement | null>;
  onEnded: (reason: EndReason) => void;
  onPasteStopped: (stopped: PasteStopped) => void;
  /** The shell still ran, and has its screen again. */
  onResumed: () => void;
} & Pick<ViewEvents, 'onPaste' | 'onLink' | 'onClipboardRequest' | 'onCopy' | 'onSearch' | 'onMatches'>;

/** The emulator in its box, which outlives sessions, and the connection of the current session. */
export function useTerminal({ session, box, onEnded, onPasteStopped, onResumed, ...events }: UseTerminalInput) {
  const { isDark } = useThemeMode();
  const [staged, setStaged] = useState<{ session: CloudAppOpened; stage: TerminalStage }>({
    session,
    stage: connecting,
  });
  // Another session begins anew.
  if (staged.session !== session) setStaged({ session, stage: connecting });
  const setStage = (stage: TerminalStage) => setStaged((before) => ({ ...before, stage }));
  const [idle, setIdle] = useState<{ seconds: number; number: number }>();
  const [modifiers, setModifiers] = useState<Modifiers>(noModifiers);
  const [isPasting, setIsPasting] = useState(false);
  const [encodingName, setEncodingName] = useState(session.app.options.encoding);
  const [encoding] = useState(() => new TerminalEncoding(session.app.options.encoding));
  const view = useRef<TerminalView>(undefined);
  const connection = useRef<TerminalConnection>(undefined);
  const hasBeenConnected = useRef(false);
  const isReplaying = useRef(false);

  const sendTyped = (text: string) => {
    view.current?.program.noticeInput(text);
    connection.current?.type(text);
  };
  const type = useEffectEvent((text: string) => {
    setIdle(undefined);
    sendTyped(withModifiers(text, modifiers));
    if (modifiers.ctrl || modifiers.alt) setModifiers(noModifiers);
  });
  const viewEvents = useEffectEvent((): ViewEvents => ({
    ...events,
    onInput: type,
    onBinaryInput: (bytes) => connection.current?.typeBytes(bytes),
    onResize: (size) => connection.current?.resize(size),
  }));
  const look = useEffectEvent(() => ({ isDark }));

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const created = createTerminalView(element, look(), {
      onInput: (text) => viewEvents().onInput(text),
      onBinaryInput: (bytes) => viewEvents().onBinaryInput(bytes),
      onPaste: (text) => viewEvents().onPaste(text),
      onResize: (size) => viewEvents().onResize(size),
      onLink: (address) => viewEvents().onLink(address),
      onClipboardRequest: (text) => !isReplaying.current && viewEvents().onClipboardRequest(text),
      onCopy: () => viewEvents().onCopy(),
      onSearch: () => viewEvents().onSearch(),
      onMatches: (matches) => viewEvents().onMatches(matches),
    });
    view.current = created;
    const observer = new ResizeObserver(() => !isReplaying.current && created.fit());
    observer.observe(element);
    return () => {
      observer.disconnect();
      view.current = undefined;
      created.dispose();
    };
  }, [box]);

  useEffect(() => view.current?.setTheme({ isDark }), [isDark]);

  const finish = useEffectEvent((reason: EndReason) => {
    setIdle(undefined);
    setStaged((before) => (lastingStages.has(before.stage.type) ? before : { ...before, stage: { type: 'ended' } }));
    onEnded(reason);
  });
  const receive = useEffectEvent((message: TerminalMessage) => {
    switch (message.type) {
      case 'connected':
        view.current?.program.reset();
        if (hasBeenConnected.current) view.current?.startAgain(terminalText.reconnected);
        hasBeenConnected.current = true;
        setStage({ type: 'connected' });
        view.current?.focus();
        return;
      case 'resumed':
        isReplaying.current = true;
        view.current?.replayAt(message);
        view.current?.program.reset();
        hasBeenConnected.current = true;
        setStage({ type: 'connected' });
        return;
      case 'idle_warning':
        setIdle((before) => ({ seconds: message.seconds, number: (before?.number ?? 0) + 1 }));
        return;
      case 'failed':
        connection.current?.close();
        finish(message.reason);
        return;
      default:
        setStage(message);
    }
  });

  const replayed = useEffectEvent(() => {
    isReplaying.current = false;
    view.current?.fit();
    if (view.current) connection.current?.resize(view.current.size());
    view.current?.focus();
    onResumed();
  });
  const stoppedPaste = useEffectEvent((stopped: PasteStopped) => onPasteStopped(stopped));
  useEffect(() => {
    const sizeNow = () => view.current?.size() ?? { columns: 80, rows: 24 };
    let isCut = false;
    const url = socketUrl(`${session.path}terminal`, window.location.href);
    const opened = new TerminalConnection(
      { url, encoding, size: sizeNow },
      {
        onMessage(message) {
          isCut = message.type === 'host_key_changed';
          receive(message);
        },
        onOutput: (output, onDrawn) => view.current?.write(output, onDrawn),
        onReplayed: () => replayed(),
        onPasting: setIsPasting,
        onPasteStopped: (stopped) => stoppedPaste(stopped),
        onClosed: () => finish(isCut ? 'host-key-changed' : 'disconnected'),
      },
    );
    connection.current = opened;
    return () => opened.close();
  }, [session, encoding]);

  const isConnected = staged.stage.type === 'connected';
  useEffect(() => {
    if (!isConnected) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      const isBusy = view.current?.program.isBusy ?? false;
      if (isBusy || connection.current?.pasteProgress) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isConnected]);

  const pasteProgress = useCallback(() => connection.current?.pasteProgress, []);
  return {
    isPasting,
    pasteProgress,
    stage: staged.stage,
    idle,
    modifiers,
    setModifiers,
    view,
    encoding: encodingName,
    /** For what comes and is typed from now on. */
    changeEncoding(name: TerminalEncodingName) {
      setEncodingName(name);
      encoding.change(name);
      view.current?.focus();
    },
    logIn(credentials: Credentials) {
      setStage(connecting);
      if (view.current) connection.current?.start(view.current.size(), credentials);
    },
    answer(answers: string[]) {
      setStage(connecting);
      connection.current?.answer(answers);
    },
    trust(trusted: boolean) {
      setStage(connecting);
      connection.current?.trustHostKey(trusted);
    },
    /** False when too much waits already. */
    paste(text: string): boolean {
      setIdle(undefined);
      view.current?.program.noticeInput(text);
      const isBracketed = view.current?.hasBracketedPaste() ?? false;
      return connection.current?.paste(text, { isBracketed }) ?? true;
    },
    stopPastes() {
      connection.current?.stopPastes();
      view.current?.focus();
    },
    stay() {
      setIdle(undefined);
      connection.current?.stay();
    },
    typeText(text: string) {
      setIdle(undefined);
      setModifiers(noModifiers);
      sendTyped(withModifiers(text, modifiers));
    },
    typeCursor(key: CursorKey) {
      setIdle(undefined);
      setModifiers(noModifiers);
      connection.current?.type(cursorKey(key, modifiers, view.current?.hasApplicationKeys() ?? false));
    },
  };
}

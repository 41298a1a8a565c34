import { useCallback, useRef, useState } from 'react';
import { terminalText } from '../../../text/cloud-apps/terminal.ts';
import { copyText } from '../../../ui/copy/copy-text.ts';
import { useThemeMode } from '../../../ui/theme/theme-mode.tsx';
import { useConfirm } from '../../../ui/use-confirm.ts';
import { useToast } from '../../../ui/use-toast.ts';
import type { AppScreenProps } from '../app-screen.ts';
import { ScreenFrame } from '../screen-frame.tsx';
import { ClipboardNotice } from './clipboard-notice.tsx';
import { IdleNotice } from '../connecting/idle-notice.tsx';
import { linkAddress } from './link-address.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { PasteProgress } from './paste-progress.tsx';
import { SearchBar } from './search-bar.tsx';
import { StagePanel } from './stage-panel.tsx';
import { TerminalTools } from './terminal-tools.tsx';
import connectingStyles from '../connecting/connecting.module.css';
import styles from './terminal.module.css';
import { TouchBar } from './touch-bar.tsx';
import { usePaste } from './use-paste.tsx';
import { useTerminal } from './use-terminal.ts';

/** A terminal of SSH or Telnet. */
export function TerminalScreen({ session, notice, onEnded, onFresh }: AppScreenProps) {
  const { isDark } = useThemeMode();
  const toast = useToast();
  const box = useRef<HTMLDivElement>(null);
  const openLink = useOpenLink();
  const [isSearching, setIsSearching] = useState(false);
  const [matches, setMatches] = useState<{ index: number; count: number }>();
  const [isPasting, setIsPasting] = useState(false);
  const [clip, setClip] = useState<string>();

  async function copy(text: string | undefined, near: HTMLElement | null) {
    if (!text) return toast.warning(terminalText.nothingSelected);
    const isCopied = near !== null && (await copyText(text, near));
    if (isCopied) toast.success(terminalText.copied);
    else toast.error(terminalText.copyFailed);
    terminal.view.current?.focus();
  }
  async function paste() {
    // Missing over plain http, and refused in some browsers.
    const text = await navigator.clipboard?.readText?.().catch(() => undefined);
    if (text === undefined) return setIsPasting(true);
    terminal.view.current?.paste(text);
    terminal.view.current?.focus();
  }
  const copySelection = () => void copy(terminal.view.current?.selection(), box.current);
  const terminal = useTerminal({
    session,
    box,
    onEnded,
    onResumed: () => toast.success(terminalText.resumed),
    onPaste: (text) => sendPaste(text),
    onPasteStopped: (stopped) => toast.warning(terminalText.pasteStopped(stopped)),
    onLink: openLink,
    onClipboardRequest: setClip,
    onCopy: copySelection,
    onSearch: () => setIsSearching(true),
    onMatches: setMatches,
  });
  const { view, stage, idle } = terminal;
  const sendPaste = usePaste(view, (text) => {
    if (!terminal.paste(text)) toast.error(terminalText.pasteTooLong);
  });

  function find(text: string, how: 'next' | 'previous') {
    if (text === '') return view.current?.endSearch();
    if (how === 'previous') view.current?.findPrevious(text);
    else view.current?.findNext(text);
    return undefined;
  }
  function endSearch() {
    setIsSearching(false);
    setMatches(undefined);
    view.current?.endSearch();
    view.current?.focus();
  }

  return (
    <ScreenFrame
      app={session.app}
      tools={
        <TerminalTools
          view={view}
          encoding={terminal.encoding}
          onEncoding={terminal.changeEncoding}
          onFresh={onFresh}
          onSearch={() => setIsSearching(true)}
          onCopy={copySelection}
          onPaste={() => void paste()}
        />
      }
      notices={
        <>
          {notice}
          {idle && <IdleNotice key={idle.number} seconds={idle.seconds} onStay={terminal.stay} />}
          {clip !== undefined && (
            <ClipboardNotice
              text={clip}
              onAllow={(near) => {
                setClip(undefined);
                void copy(clip, near);
              }}
              onRefuse={() => setClip(undefined)}
            />
          )}
        </>
      }
    >
      <div className={`${styles.screen} ${isDark ? styles.dark : styles.light}`}>
        <div ref={box} className={styles.box} role="group" aria-label={terminalText.screen} />
        {isSearching && <SearchBar matches={matches} onFind={find} onClose={endSearch} />}
        {terminal.isPasting && <PasteProgress progress={terminal.pasteProgress} onStop={terminal.stopPastes} />}
        {stage.type === 'connecting' && !notice && (
          <span className={connectingStyles.status} role="status">
            {terminalText.connecting}
          </span>
        )}
        <StagePanel
          stage={stage}
          app={session.app}
          onLogIn={terminal.logIn}
          onAnswer={terminal.answer}
          onTrust={terminal.trust}
        />
      </div>
      <TouchBar
        modifiers={terminal.modifiers}
        onModifiers={terminal.setModifiers}
        onText={terminal.typeText}
        onCursor={terminal.typeCursor}
      />
      {isPasting && <PasteDialog onPaste={(text) => view.current?.paste(text)} onClose={() => setIsPasting(false)} />}
    </ScreenFrame>
  );
}

/** Opens a link of the output after the user has seen where it leads. The new page knows nothing of this one. */
function useOpenLink(): (text: string) => void {
  const confirm = useConfirm();
  return useCallback(
    (text) => {
      const address = linkAddress(text);
      if (address === undefined) return;
      confirm({
        title: terminalText.linkTitle,
        text: (
          <>
            {terminalText.linkText}
            <br />
            <strong className={styles.linkAddress}>{address}</strong>
          </>
        ),
        confirm: terminalText.openLink,
        canBeUndone: true,
        onConfirm: () => void window.open(address, '_blank', 'noopener,noreferrer'),
      });
    },
    [confirm],
  );
}

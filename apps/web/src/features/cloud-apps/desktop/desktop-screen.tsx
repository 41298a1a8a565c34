import { useRef, useState } from 'react';
import { desktopText } from '../../../text/cloud-apps/desktop.ts';
import { useToast } from '../../../ui/use-toast.ts';
import type { AppScreenProps } from '../app-screen.ts';
import { ScreenFrame } from '../screen-frame.tsx';
import { CredentialsForm } from '../connecting/credentials-form.tsx';
import { IdleNotice } from '../connecting/idle-notice.tsx';
import { ClipboardPanel } from './clipboard-panel.tsx';
import { DesktopTools } from './desktop-tools.tsx';
import connectingStyles from '../connecting/connecting.module.css';
import styles from './desktop.module.css';
import { KeyboardInput } from './keyboard-input.tsx';
import type { DesktopProtocol, Scaling } from './remote-desktop.ts';
import { useDesktop } from './use-desktop.ts';

/** A tap on a phone would otherwise open its keyboard over the desktop. A tablet may have a mouse as well. */
const wantsKeys = ({ pointerType }: { pointerType: string }) =>
  pointerType !== 'touch' || window.matchMedia('(pointer: fine)').matches;

/** A desktop of VNC or RDP. */
export function DesktopScreen({ session, notice, onEnded, protocol }: AppScreenProps & { protocol: DesktopProtocol }) {
  const toast = useToast();
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [scaling, setScaling] = useState<Scaling>('fit');
  const [isViewOnly, setIsViewOnly] = useState(false);
  const [received, setReceived] = useState('');
  const [hasNewClipboard, setHasNewClipboard] = useState(false);
  const [isClipboardOpen, setIsClipboardOpen] = useState(false);
  const { stage, idle, desktop, logIn, typeText, stay, noticeInput } = useDesktop({
    ...{ session, protocol, box, scaling, isViewOnly, onEnded },
    onClipboard(text) {
      setReceived(text);
      setHasNewClipboard(!isClipboardOpen);
    },
    onTextLost: (certainty) => toast.warning(desktopText.textLost[certainty]),
  });
  const focus = () => field.current?.focus({ preventScroll: true });
  function toggleClipboard() {
    setHasNewClipboard(false);
    setIsClipboardOpen(!isClipboardOpen);
  }
  return (
    <ScreenFrame
      app={session.app}
      tools={
        <DesktopTools
          {...{ scalings: protocol.scalings, scaling, isViewOnly, hasNewClipboard }}
          onScaling={setScaling}
          onViewOnly={setIsViewOnly}
          onKeyboard={focus}
          onClipboard={toggleClipboard}
          onKeys={(names) => {
            desktop.current?.pressKeys(names);
            focus();
          }}
        />
      }
      notices={
        <>
          {notice}
          {idle && <IdleNotice key={idle.number} seconds={idle.seconds} onStay={stay} />}
        </>
      }
    >
      <div className={styles.screen}>
        <div
          ref={box}
          className={`${styles.box} ${scaling === 'actual' ? styles.actual : ''}`}
          role="application"
          aria-label={desktopText.screen}
          onPointerDown={(event) => {
            noticeInput();
            if (wantsKeys(event)) focus();
          }}
        />
        <KeyboardInput field={field} desktop={desktop} onInput={noticeInput} onText={typeText} />
        {stage.type === 'connecting' && !notice && (
          <span className={connectingStyles.status} role="status">
            {desktopText.connecting}
          </span>
        )}
        {stage.type === 'credentials' && (
          <div className={connectingStyles.overlay}>
            <CredentialsForm
              key={String(stage.refused)}
              isRefused={stage.refused}
              wanted={stage.wanted}
              onSubmit={({ username = '', password = '' }) => logIn({ username, password })}
            />
          </div>
        )}
        {isClipboardOpen && (
          <ClipboardPanel
            received={received}
            onSend={(text) => desktop.current?.sendClipboard(text) ?? true}
            onType={typeText}
            onClose={toggleClipboard}
          />
        )}
      </div>
    </ScreenFrame>
  );
}

import RFB from '@novnc/novnc';
import type { CloudApp } from '@tongtu/contract';
import { withoutMisreadLatin1 } from '@tongtu/contract/misread-latin1';
import { decodeText, encodeText } from '@tongtu/contract/text-encodings';
import { vncPasswordBytes } from '@tongtu/contract/vnc-password';
import type { KeyName } from './key-names.ts';
import { keysymOfCharacter, keysyms } from './keysyms.ts';
import type { CredentialName, DesktopCredentials, DesktopProtocol, RemoteDesktop, Scaling } from './remote-desktop.ts';

/** Of the extended clipboard's pseudo-encoding. */
const extendedText = 1;
const extendedNotify = 1 << 27;

/** VNC by noVNC, which speaks RFB, draws, and handles mouse and touch. */
export const vncProtocol: DesktopProtocol = {
  scalings: ['fit', 'resize', 'actual'],
  wantedFirst: () => undefined,
  connect({ url, app, box, credentials, scaling, isViewOnly }, events) {
    const { username, encoding } = app.options;
    const rfb = new RFB(box, url, { shared: true });
    let given = credentials;
    let wanted: CredentialName[] = ['password'];
    /** VNC authentication, which has no username. The others send UTF-8, as noVNC does. */
    let isPasswordAlone = false;
    let isOver = false;
    let isRefused = false;
    rfb.focusOnClick = false;
    rfb.background = 'transparent';
    rfb.viewOnly = isViewOnly;
    setScaling(rfb, scaling);
    rfb.addEventListener('connect', events.onConnected);
    const logIn = ({ username: typed, password }: DesktopCredentials) =>
      rfb.sendCredentials({
        username: typed || username,
        password: isPasswordAlone ? vncPasswordBytes(password, encoding) : password,
        target: '',
      });
    rfb.addEventListener('credentialsrequired', ({ detail }) => {
      isPasswordAlone = !detail.types.includes('username');
      wanted = (['username', 'password'] as const).filter(
        (name) => detail.types.includes(name) && !(name === 'username' && username !== ''),
      );
      if (given === undefined) return events.onCredentialsWanted(wanted);
      logIn(given);
      given = undefined;
    });
    rfb.addEventListener('securityfailure', () => {
      isRefused = true;
      events.onRefused(wanted);
    });
    rfb.addEventListener('clipboard', ({ detail }) =>
      events.onClipboard(hasExtendedClipboard(rfb) ? detail.text : readCutText(detail.text, encoding)),
    );
    rfb.addEventListener('disconnect', () => {
      if (!isOver && !isRefused) events.onClosed();
      isOver = true;
    });
    return {
      logIn,
      handleKey: (event) => forwardKey(box, event),
      pressKeys: (names) => pressKeys(rfb, names),
      typeText: (text) => typeText(rfb, text),
      sendClipboard(text) {
        const sent = hasExtendedClipboard(rfb) ? text : cutTextOf(text, encoding);
        if (sent === undefined) return false;
        rfb.clipboardPasteFrom(sent);
        return true;
      },
      setScaling: (next) => setScaling(rfb, next),
      setViewOnly: (isOn) => {
        rfb.viewOnly = isOn;
      },
      // noVNC does it itself when the window has lost the focus.
      releaseKeys: () => window.dispatchEvent(new Event('blur')),
      close() {
        if (isOver) return;
        isOver = true;
        rfb.disconnect();
      },
    } satisfies RemoteDesktop;
  },
};

function setScaling(rfb: RFB, scaling: Scaling): void {
  rfb.resizeSession = scaling === 'resize';
  // A server that cannot be resized is shown as a whole all the same.
  rfb.scaleViewport = scaling !== 'actual';
}

/** Without it, cut text is ISO 8859-1 (RFC 6143 §7.5.6), and noVNC sends question marks. It does not say which one it is. */
function hasExtendedClipboard(rfb: RFB): boolean {
  const { _clipboardServerCapabilitiesFormats: formats, _clipboardServerCapabilitiesActions: actions } = rfb;
  return formats[extendedText] === true && actions[extendedNotify] === true;
}

/** Cut text as noVNC takes it: each letter is a byte. Undefined where the server's encoding lacks a character. */
function cutTextOf(text: string, encoding: Encoding): string | undefined {
  if (encoding === 'utf-8') return /^[\0-\xff]*$/.test(text) ? text : undefined;
  const bytes = encodeText(text, legacyEncodings[encoding]);
  return bytes && Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** Old servers send the bytes of their own encoding. */
function readCutText(latin1: string, encoding: Encoding): string {
  if (encoding === 'utf-8') return withoutMisreadLatin1(latin1);
  const bytes = Uint8Array.from(latin1, (letter) => letter.charCodeAt(0));
  return decodeText(bytes, legacyEncodings[encoding]) ?? withoutMisreadLatin1(latin1);
}

type Encoding = CloudApp['options']['encoding'];

const legacyEncodings = { gbk: 'gb18030', big5: 'big5' } as const;

/** noVNC listens to its canvas. The focus is in a text field, without which there is no input method. */
function forwardKey(box: HTMLElement, event: KeyboardEvent): boolean {
  const { type, key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat } = event;
  const copy = new KeyboardEvent(type, {
    ...{ key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat },
    modifierCapsLock: event.getModifierState('CapsLock'),
    modifierNumLock: event.getModifierState('NumLock'),
    modifierAltGraph: event.getModifierState('AltGraph'),
    cancelable: true,
  });
  box.querySelector('canvas')?.dispatchEvent(copy);
  return copy.defaultPrevented;
}

function pressKeys(rfb: RFB, names: readonly KeyName[]): void {
  for (const name of names) rfb.sendKey(keysyms[name], name, true);
  for (const name of names.toReversed()) rfb.sendKey(keysyms[name], name, false);
}

function typeText(rfb: RFB, text: string): void {
  for (const character of text) {
    // Without a code, so that the server takes the character and not a key of its own layout.
    const keysym = keysymOfCharacter(character);
    rfb.sendKey(keysym, null, true);
    rfb.sendKey(keysym, null, false);
  }
}

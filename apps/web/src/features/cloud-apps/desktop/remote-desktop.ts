import type { CloudApp } from '@tongtu/contract';
import type { KeyName } from './key-names.ts';

export type DesktopCredentials = { username: string; password: string };
export type CredentialName = keyof DesktopCredentials;

/** `fit` shows the whole desktop, `resize` gives it the size of the page, `actual` shows each pixel as it is. */
export type Scaling = 'fit' | 'resize' | 'actual';

export type DesktopEvents = {
  /** The first image can come now. */
  onConnected: () => void;
  /** The target wants credentials: `logIn` goes on with them. */
  onCredentialsWanted: (wanted: CredentialName[]) => void;
  /** The target refused the credentials. The connection ends. */
  onRefused: (wanted: CredentialName[]) => void;
  /** Text that was copied on the desktop. */
  onClipboard: (text: string) => void;
  /** The connection is over, and not by `close`. */
  onClosed: (reason?: 'browser-too-old') => void;
};

/** A connection to a desktop, which draws itself into its box and handles the pointer there. */
export type RemoteDesktop = {
  logIn: (credentials: DesktopCredentials) => void;
  /** A key that the user presses or releases. Returns whether it was sent. */
  handleKey: (event: KeyboardEvent) => boolean;
  /** All at once, then released. */
  pressKeys: (names: readonly KeyName[]) => void;
  /** What an input method has composed, or the keyboard of a phone. */
  typeText: (text: string) => void;
  /** False when the target's clipboard cannot hold this text: it stays as it is. */
  sendClipboard: (text: string) => boolean;
  setScaling: (scaling: Scaling) => void;
  setViewOnly: (isOn: boolean) => void;
  /** The page has lost the focus: no key stays pressed. */
  releaseKeys: () => void;
  close: () => void;
};

export type DesktopInput = {
  /** Of the screen's WebSocket. */
  url: string;
  app: CloudApp;
  box: HTMLElement;
  credentials: DesktopCredentials | undefined;
  scaling: Scaling;
  isViewOnly: boolean;
};

/** A protocol, by a library of its own. */
export type DesktopProtocol = {
  scalings: readonly Scaling[];
  /** What must be known before the connection begins; undefined: the target says it. */
  wantedFirst: (app: CloudApp) => CredentialName[] | undefined;
  connect: (input: DesktopInput, events: DesktopEvents) => RemoteDesktop;
};

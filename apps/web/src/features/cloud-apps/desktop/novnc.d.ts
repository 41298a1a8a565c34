/** What is used of noVNC, which has no types of its own. Its package describes the API. */
declare module '@novnc/novnc' {
  type Credentials = { username: string; password: string; target: string };
  type Events = {
    connect: CustomEvent;
    disconnect: CustomEvent<{ clean: boolean }>;
    credentialsrequired: CustomEvent<{ types: (keyof Credentials)[] }>;
    securityfailure: CustomEvent<{ status: number; reason?: string }>;
    clipboard: CustomEvent<{ text: string }>;
  };

  export default class RFB {
    constructor(box: Element, url: string, options?: { shared?: boolean; credentials?: Credentials });
    viewOnly: boolean;
    focusOnClick: boolean;
    scaleViewport: boolean;
    resizeSession: boolean;
    background: string;
    addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void;
    sendCredentials(credentials: Credentials): void;
    sendKey(keysym: number, code: string | null, isDown?: boolean): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    /** Not of the API. */
    readonly _clipboardServerCapabilitiesFormats: Record<number, boolean | undefined>;
    readonly _clipboardServerCapabilitiesActions: Record<number, boolean | undefined>;
  }
}

import { Backend, init } from '@devolutions/iron-remote-desktop-rdp';
import { listenToPointer } from './pointer-input.ts';
import type { DesktopEvents, DesktopInput, DesktopProtocol, RemoteDesktop, Scaling } from './remote-desktop.ts';
import { scancodeOf } from './scancodes.ts';

type Session = Awaited<ReturnType<InstanceType<typeof Backend.SessionBuilder>['connect']>>;
type DeviceEvent = Parameters<InstanceType<typeof Backend.InputTransaction>['addEvent']>[0];

const { DeviceEvent: event } = Backend;
const MIN_SIZE = { width: 1024, height: 768 };
/** IronErrorKind: wrong password, logon failure, access denied. */
const refusals: ReadonlySet<unknown> = new Set([1, 2, 3]);

let loaded: Promise<void> | undefined;

/** RDP by IronRDP (WebAssembly). The gateway speaks TLS with the target and names it, so the address here says nothing. */
export const rdpProtocol: DesktopProtocol = {
  scalings: ['fit', 'actual'],
  wantedFirst: ({ options }) => (options.username === '' ? ['username', 'password'] : ['password']),
  connect: (input, events) => new RdpDesktop(input, events),
};

class RdpDesktop implements RemoteDesktop {
  readonly #events: DesktopEvents;
  readonly #canvas = document.createElement('canvas');
  readonly #stopPointer: () => void;
  #session: Session | undefined;
  #isOver = false;
  #isViewOnly: boolean;
  /** Whether the target has a clipboard: others hang up when they get one. */
  #hasClipboard = false;
  #clipboard = '';

  constructor(input: DesktopInput, events: DesktopEvents) {
    this.#events = events;
    this.#isViewOnly = input.isViewOnly;
    this.setScaling(input.scaling);
    this.#canvas.style.background = 'black'; // what a server leaves out: other clients show it so, and IronRDP draws parts of it
    input.box.append(this.#canvas);
    this.#stopPointer = listenToPointer(this.#canvas, {
      move: (x, y) => this.#send(event.mouseMove(x, y)),
      press: (button) => this.#send(event.mouseButtonPressed(button)),
      release: (button) => this.#send(event.mouseButtonReleased(button)),
      turnWheel: (isVertical, amount, unit) => this.#send(event.wheelRotations(isVertical, -amount, unit)),
    });
    this.#run(input).catch((error: unknown) => this.#end(error));
  }

  logIn(): void {
    // RDP asks for everything before it connects.
  }

  handleKey({ type, code }: KeyboardEvent): boolean {
    const scancode = scancodeOf(code);
    if (scancode === undefined) return false;
    this.#send(type === 'keydown' ? event.keyPressed(scancode) : event.keyReleased(scancode));
    return true;
  }

  pressKeys(names: readonly string[]): void {
    const codes = names.flatMap((name) => scancodeOf(name) ?? []);
    this.#send(...codes.map((code) => event.keyPressed(code)));
    this.#send(...codes.toReversed().map((code) => event.keyReleased(code)));
  }

  typeText(text: string): void {
    for (const character of text) this.#send(event.unicodePressed(character), event.unicodeReleased(character));
  }

  sendClipboard(text: string): boolean {
    this.#clipboard = text;
    if (this.#hasClipboard && !this.#isViewOnly) this.#offerClipboard();
    return true;
  }

  setScaling(scaling: Scaling): void {
    const limit = scaling === 'actual' ? 'none' : '100%';
    // In the middle of the box, or from its corner where it is larger.
    const place = { position: 'absolute', inset: '0', margin: 'auto' };
    Object.assign(this.#canvas.style, place, { maxWidth: limit, maxHeight: limit });
  }

  setViewOnly(isOn: boolean): void {
    this.#isViewOnly = isOn;
    if (isOn) this.releaseKeys();
  }

  releaseKeys(): void {
    if (!this.#isOver) this.#session?.releaseAllInputs();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#session?.shutdown();
  }

  async #run({ url, app, box, credentials }: DesktopInput): Promise<void> {
    loaded ??= init('WARN').catch((error: unknown) => {
      loaded = undefined; // the next attempt loads it again
      throw error;
    });
    await loaded;
    const builder = new Backend.SessionBuilder()
      .username(credentials?.username ?? '')
      .password(credentials?.password ?? '')
      .destination('target')
      .proxyAddress(url)
      .authToken('session')
      .desktopSize(sizeFor(box))
      .renderCanvas(this.#canvas)
      .setCursorStyleCallback((style: string, image?: string, x?: number, y?: number) => {
        this.#canvas.style.cursor = cursorOf(style, image, x, y);
      })
      .setCursorStyleCallbackContext(null)
      .remoteClipboardChangedCallback((data: InstanceType<typeof Backend.ClipboardData>) => this.#receive(data))
      .forceClipboardUpdateCallback(() => {
        this.#hasClipboard = true;
        this.#offerClipboard();
      })
      .canvasResizedCallback(() => {});
    const session = await (app.options.domain === '' ? builder : builder.serverDomain(app.options.domain)).connect();
    if (this.#isOver) return session.shutdown();
    this.#session = session;
    const { width, height } = session.desktopSize();
    Object.assign(this.#canvas, { width, height });
    this.#events.onConnected();
    await session.run(); // draws until the end
    this.#end(undefined);
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    if (refusals.has(kindOf(error))) this.#events.onRefused(['username', 'password']);
    else this.#events.onClosed(isWasmRefused(error) ? 'browser-too-old' : undefined);
  }

  #leave(): void {
    this.#stopPointer();
    this.#canvas.remove();
  }

  #send(...events: DeviceEvent[]): void {
    if (this.#isOver || this.#isViewOnly || this.#session === undefined) return;
    const transaction = new Backend.InputTransaction();
    for (const each of events) transaction.addEvent(each);
    this.#session.applyInputs(transaction);
  }

  #offerClipboard(): void {
    const data = new Backend.ClipboardData();
    if (this.#clipboard !== '') data.addText('text/plain', this.#clipboard);
    // A refusal is the target's: its clipboard stays as it is.
    this.#session?.onClipboardPaste(data).catch(() => undefined);
  }

  #receive(data: InstanceType<typeof Backend.ClipboardData>): void {
    for (const item of data.items()) {
      const value: unknown = item.value();
      if (item.mimeType() === 'text/plain' && typeof value === 'string') this.#events.onClipboard(value);
    }
  }
}

/** The room on the page. Smaller ones show a larger desktop, scaled. */
function sizeFor(box: HTMLElement) {
  const width = Math.max(MIN_SIZE.width, box.clientWidth);
  // IronRDP 0.7.0 skews widths that are no multiple of 4.
  return new Backend.DesktopSize(width - (width % 4), Math.max(MIN_SIZE.height, box.clientHeight));
}

function cursorOf(style: string, image = '', x = 0, y = 0): string {
  if (style === 'hidden') return 'none';
  return style === 'url' && image !== '' ? `url(${image}) ${Math.round(x)} ${Math.round(y)}, default` : 'default';
}

/** Browsers without the source `'wasm-unsafe-eval'` of content security policies (before Chrome 97) compile no code. */
function isWasmRefused(error: unknown): boolean {
  return typeof WebAssembly === 'undefined' || error instanceof WebAssembly.CompileError;
}

function kindOf(error: unknown): unknown {
  const hasKind = typeof error === 'object' && error !== null && 'kind' in error && typeof error.kind === 'function';
  return hasKind ? (error as { kind: () => unknown }).kind() : undefined;
}

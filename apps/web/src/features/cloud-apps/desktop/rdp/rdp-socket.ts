import { BitmapUpdates } from './bitmap-updates.ts';

/** What IronRDP opens in place of a WebSocket (`build/screen-libraries.ts`): its bytes are mended on their way. */
export class RdpSocket extends WebSocket {
  readonly #updates = new BitmapUpdates();

  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void {
    if (type !== 'message' || typeof listener !== 'function') return super.addEventListener(type, listener, options);
    super.addEventListener(
      'message',
      ({ data }: MessageEvent<ArrayBuffer>) => {
        for (const bytes of this.#updates.push(new Uint8Array(data)))
          listener.call(this, new MessageEvent('message', { data: exactly(bytes) }));
      },
      options,
    );
  }
}

/** IronRDP reads the whole buffer. */
function exactly(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
}

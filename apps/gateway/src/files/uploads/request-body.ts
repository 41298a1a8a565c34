import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ERRORS } from '@tus/server';

const UPLOAD_TYPE = 'application/offset+octet-stream';

/** Of the call that is being answered: the library's stores know nothing of requests. */
export const requestBody = new AsyncLocalStorage<RequestBody>();

/**
 * What a browser sends, past the library: that would copy each byte and pass it through five streams, for a third of the
 * CPU time of an upload.
 */
export class RequestBody {
  /** For the library, in place of the body: it has no bytes, and ends with the body. */
  readonly placeholder: ReadableStream;
  /** The request that creates the upload also has the file (creation-with-upload). */
  readonly isCreation: boolean;
  readonly #request: IncomingMessage;
  #endPlaceholder = (): void => {};

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.isCreation = request.method === 'POST' && request.headers['content-type'] === UPLOAD_TYPE;
    this.placeholder = new ReadableStream({
      start: (controller) => {
        this.#endPlaceholder = () => controller.close();
      },
    });
  }

  /**
   * `libraryStream` is what the library makes of the placeholder. It ends early when another request for the same upload
   * waits for this one, whose connection may be lost without a sign.
   */
  async *read(libraryStream: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
    const cut = (): void => void this.#request.destroy();
    libraryStream.once('end', cut).resume();
    let bytes = 0;
    try {
      // Not destroyed when the target fails: the browser is to read why.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw ERRORS.ERR_SIZE_EXCEEDED;
        yield chunk;
      }
    } catch (error) {
      throw error === ERRORS.ERR_SIZE_EXCEEDED ? error : ERRORS.ABORTED;
    } finally {
      libraryStream.off('end', cut);
      this.#endPlaceholder();
    }
  }
}

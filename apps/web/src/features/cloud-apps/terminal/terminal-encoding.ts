import type { CloudApp } from '@tongtu/contract';
import { encodeLossy } from '@tongtu/contract/text-encodings';

export type TerminalEncodingName = CloudApp['options']['encoding'];

/** Of both directions of a terminal. The gateway passes on bytes as they are. */
export class TerminalEncoding {
  readonly #encoder = new TextEncoder();
  #name: TerminalEncodingName;
  /** Keeps an unfinished character. Undefined for UTF-8, which the emulator reads itself. */
  #decoder: TextDecoder | undefined;

  constructor(name: TerminalEncodingName) {
    this.#name = name;
    this.#decoder = decoderFor(name);
  }

  /** From now on, in both directions. */
  change(name: TerminalEncodingName): void {
    this.#name = name;
    this.#decoder = decoderFor(name);
  }

  /** Another output begins. */
  reset(): void {
    this.#decoder = decoderFor(this.#name);
  }

  /** What the emulator is to draw. */
  decode(bytes: Uint8Array): Uint8Array | string {
    return this.#decoder === undefined ? bytes : this.#decoder.decode(bytes, { stream: true });
  }

  /** What the user types or pastes. A character that the encoding lacks becomes a question mark. */
  encode(text: string): Uint8Array<ArrayBuffer> {
    if (this.#name === 'utf-8') return this.#encoder.encode(text);
    return encodeLossy(text, this.#name === 'gbk' ? 'gb18030' : 'big5');
  }
}

function decoderFor(name: TerminalEncodingName): TextDecoder | undefined {
  return name === 'utf-8' ? undefined : new TextDecoder(name === 'gbk' ? 'gb18030' : 'big5');
}

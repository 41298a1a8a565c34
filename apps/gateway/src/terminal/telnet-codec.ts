import type { TerminalSize } from './shell.ts';

// RFC 854, 856, 857, 858, 860, 1073, 1091.
const IAC = 255;
const DONT = 254;
const DO = 253;
const WONT = 252;
const WILL = 251;
const SB = 250;
const SE = 240;
const BINARY = 0;
const ECHO = 1;
const SGA = 3;
const TIMING_MARK = 6;
const TTYPE = 24;
const NAWS = 31;
const TTYPE_IS = 0;
const TTYPE_SEND = 1;
const LF = 10;
const CR = 13;
const NUL = 0;

/** What the target may do, and what we do when it asks for it. */
const theirOptions: ReadonlySet<number> = new Set([BINARY, ECHO, SGA]);
const ourOptions: ReadonlySet<number> = new Set([BINARY, SGA, TTYPE, NAWS]);
const TERM = 'XTERM-256COLOR';
/** The only one that we act on has one byte. */
const MAX_SUBNEGOTIATION_BYTES = 64;

type State = 'text' | 'carriage-return' | 'command' | 'option' | 'subnegotiation' | 'subnegotiation-command';
/** `marks` of ours were answered. */
export type TelnetInput = { text: Buffer; reply: Buffer; marks: number };

/**
 * Speaks Telnet without a socket. It asks for no option but timing marks, and answers only what would change one or must be
 * refused, so two sides cannot answer each other for ever.
 */
export class TelnetCodec {
  readonly #theirs = new Set<number>();
  readonly #ours = new Set<number>();
  #size: TerminalSize;
  #state: State = 'text';
  #verb = 0;
  #subnegotiation: number[] = [];
  #isTelnet = false;
  /** No other server begins with the wish that we echo. */
  #isBusyBox: boolean | undefined;
  #unansweredMarks = 0;

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  /** The target speaks Telnet and does not echo, so what is typed would not be seen. */
  get needsLocalEcho(): boolean {
    return this.#isTelnet && !this.#theirs.has(ECHO);
  }

  /** Asks the target to answer when it has processed what was sent before. Undefined where it does not speak Telnet. */
  createMark(): Buffer | undefined {
    if (!this.#isTelnet) return undefined;
    this.#unansweredMarks += 1;
    return Buffer.from([IAC, DO, TIMING_MARK]);
  }

  decode(chunk: Uint8Array): TelnetInput {
    const text: number[] = [];
    const reply: number[] = [];
    const marksBefore = this.#unansweredMarks;
    for (const byte of chunk) this.#take(byte, text, reply);
    const marks = marksBefore - this.#unansweredMarks;
    return { text: Buffer.from(text), reply: Buffer.from(reply), marks };
  }

  encode(text: Uint8Array): Buffer {
    const bytes: number[] = [];
    for (const [index, byte] of text.entries()) {
      bytes.push(byte);
      if (byte === IAC) bytes.push(IAC);
      if (byte === CR && this.#needsNul(text[index + 1])) bytes.push(NUL);
    }
    return Buffer.from(bytes);
  }

  /**
   * BusyBox drops the NUL after CR, but not where they come in two reads: then its program gets it, in the middle of a
   * paste. It passes CR alone as it is.
   */
  #needsNul(next: number | undefined): boolean {
    if (this.#ours.has(BINARY)) return false;
    return this.#isBusyBox !== true || next === LF || next === NUL;
  }

  /** What has to be sent. */
  resize(size: TerminalSize): Buffer {
    this.#size = size;
    return Buffer.from(this.#ours.has(NAWS) ? this.#windowSize() : []);
  }

  #take(byte: number, text: number[], reply: number[]): void {
    switch (this.#state) {
      case 'text':
        return this.#takeText(byte, text);
      case 'carriage-return':
        this.#state = 'text';
        return byte === NUL ? undefined : this.#takeText(byte, text);
      case 'command':
        return this.#takeCommand(byte, text);
      case 'option':
        this.#state = 'text';
        return void reply.push(...this.#negotiate(this.#verb, byte));
      case 'subnegotiation':
        if (byte === IAC) this.#state = 'subnegotiation-command';
        else this.#takeSubnegotiation(byte);
        return;
      case 'subnegotiation-command':
        this.#state = 'subnegotiation';
        if (byte === IAC) return this.#takeSubnegotiation(byte);
        // Without SE the target has broken it off, and begins another command.
        this.#state = 'text';
        if (byte === SE) return void reply.push(...this.#answerSubnegotiation());
        return this.#takeCommand(byte, text);
    }
  }

  #takeText(byte: number, text: number[]): void {
    if (byte === IAC) {
      this.#state = 'command';
      return;
    }
    text.push(byte);
    if (byte === CR && !this.#theirs.has(BINARY)) this.#state = 'carriage-return';
  }

  #takeCommand(byte: number, text: number[]): void {
    this.#state = 'text';
    if (byte === IAC) return void text.push(IAC);
    this.#isTelnet = true;
    if (byte >= WILL) {
      this.#verb = byte;
      this.#state = 'option';
    } else if (byte === SB) {
      this.#subnegotiation = [];
      this.#state = 'subnegotiation';
    }
  }

  #takeSubnegotiation(byte: number): void {
    if (this.#subnegotiation.length < MAX_SUBNEGOTIATION_BYTES) this.#subnegotiation.push(byte);
  }

  #negotiate(verb: number, option: number): number[] {
    this.#isBusyBox ??= verb === DO && option === ECHO;
    const isTheirs = verb === WILL || verb === WONT;
    if (isTheirs && option === TIMING_MARK && this.#unansweredMarks > 0) {
      this.#unansweredMarks -= 1;
      return [];
    }
    const [active, possible] = isTheirs ? [this.#theirs, theirOptions] : [this.#ours, ourOptions];
    const [yes, no] = isTheirs ? [DO, DONT] : [WILL, WONT];
    if (verb === WONT || verb === DONT) return active.delete(option) ? [IAC, no, option] : [];
    if (active.has(option)) return [];
    if (!possible.has(option)) return [IAC, no, option];
    active.add(option);
    return [IAC, yes, option, ...(!isTheirs && option === NAWS ? this.#windowSize() : [])];
  }

  #windowSize(): number[] {
    const { columns, rows } = this.#size;
    const bytes = [columns >> 8, columns & 255, rows >> 8, rows & 255];
    return [IAC, SB, NAWS, ...bytes.flatMap((byte) => (byte === IAC ? [IAC, IAC] : [byte])), IAC, SE];
  }

  #answerSubnegotiation(): number[] {
    const [option, verb] = this.#subnegotiation;
    if (option !== TTYPE || verb !== TTYPE_SEND || !this.#ours.has(TTYPE)) return [];
    return [IAC, SB, TTYPE, TTYPE_IS, ...Buffer.from(TERM, 'ascii'), IAC, SE];
  }
}

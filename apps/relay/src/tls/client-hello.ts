/** The first message of a TLS connection (RFC 8446 §4.1.2), read only as far as routing needs. */
export type ClientHello = {
  /** Lower case; undefined without SNI, as for an IP address. */
  serverName: string | undefined;
  /** Whether it offers protocols (ALPN), and HTTP/1.1 is none of them. */
  isWithoutHttp1: boolean;
};

const CLIENT_HELLO = 1;
const HEADER_BYTES = 4;
const FIXED_BYTES = 2 + 32; // legacy_version and random
const MAX_SESSION_ID_BYTES = 32;
const SERVER_NAME_EXTENSION = 0;
const ALPN_EXTENSION = 16;
const HTTP1 = Buffer.from('\x08http/1.1', 'latin1');
const HOST_NAME = 0;
const MAX_NAME_BYTES = 255;

/** The lengths of a message do not match. */
class Malformed extends Error {}

/**
 * Reads one whole handshake message. Undefined when it is no well-formed ClientHello: every length must fit exactly, no
 * extension may come twice, and a server name must be text that could be one.
 */
export function parseClientHello(message: Buffer): ClientHello | undefined {
  if (message.length < HEADER_BYTES || message[0] !== CLIENT_HELLO) return undefined;
  if (message.length !== HEADER_BYTES + message.readUIntBE(1, 3)) return undefined;
  try {
    return readHello(new Reader(message.subarray(HEADER_BYTES)));
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function readHello(hello: Reader): ClientHello {
  hello.skip(FIXED_BYTES);
  if (hello.vector(1).length > MAX_SESSION_ID_BYTES) throw new Malformed();
  const cipherSuites = hello.vector(2);
  if (cipherSuites.length === 0 || cipherSuites.length % 2 !== 0) throw new Malformed();
  if (hello.vector(1).length === 0) throw new Malformed();
  // A TLS 1.2 client may end here.
  if (hello.isAtEnd) return { serverName: undefined, isWithoutHttp1: false };
  const extensions = new Reader(hello.vector(2));
  if (!hello.isAtEnd) throw new Malformed();
  return readExtensions(extensions);
}

function readExtensions(extensions: Reader): ClientHello {
  const seen = new Set<number>();
  const read: ClientHello = { serverName: undefined, isWithoutHttp1: false };
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const body = extensions.vector(2);
    if (seen.has(type)) throw new Malformed();
    seen.add(type);
    if (type === SERVER_NAME_EXTENSION) read.serverName = hostNameOf(new Reader(body));
    // Whether the list is well-formed matters to OpenSSL alone.
    if (type === ALPN_EXTENSION) read.isWithoutHttp1 = !body.includes(HTTP1);
  }
  return read;
}

/** RFC 6066 §3 allows a list, but only one name of each type, and host names are the only type there ever was. */
function hostNameOf(extension: Reader): string {
  const list = new Reader(extension.vector(2));
  if (!extension.isAtEnd || list.number(1) !== HOST_NAME) throw new Malformed();
  const name = list.vector(2);
  if (!list.isAtEnd || name.length === 0 || name.length > MAX_NAME_BYTES) throw new Malformed();
  const text = name.toString('latin1').toLowerCase();
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Malformed();
  return text;
}

/** Reads fields from the front of some bytes; throws Malformed at their end. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  skip(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) throw new Malformed();
    this.#at += bytes;
  }

  number(bytes: number): number {
    const from = this.#at;
    this.skip(bytes);
    return this.#bytes.readUIntBE(from, bytes);
  }

  /** The bytes after a length prefix of `lengthBytes`. */
  vector(lengthBytes: number): Buffer {
    const length = this.number(lengthBytes);
    const from = this.#at;
    this.skip(length);
    return this.#bytes.subarray(from, from + length);
  }
}

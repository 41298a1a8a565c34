/**
 * RDCleanPath: how IronRDP in the browser asks a gateway to begin an RDP connection, because a page cannot speak TLS.
 * DER: a SEQUENCE of explicitly tagged fields; 0 version, 6 X.224 message, 7 certificates, 9 address, 1 error.
 */
import { decodeDer, type DerElement, encodeDer } from '../encoding/der.ts';

const SEQUENCE = 0x30;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const INTEGER = 0x02;
const field = (number: number) => 0xa0 + number;
const VERSION = encodeDer(field(0), encodeDer(INTEGER, Buffer.of(0x0d, 0x3e))); // 3390

/** Of an RDCleanPath error: 1 general, 2 negotiation. */
export type CleanPathError = 1 | 2;

/** The X.224 connection request of the browser. Where it wants to go does not count: the session says that. */
export function parseCleanPathRequest(bytes: Buffer): Buffer | undefined {
  try {
    const x224 = only(fieldOf(only(decodeDer(bytes), SEQUENCE), 6), OCTET_STRING);
    return x224;
  } catch {
    return undefined; // not DER, or not of this shape
  }
}

export function cleanPathAnswer(x224: Buffer, certificates: readonly Buffer[], address: string): Buffer {
  const chain = Buffer.concat(certificates.map((certificate) => encodeDer(OCTET_STRING, certificate)));
  return encodeDer(
    SEQUENCE,
    Buffer.concat([
      VERSION,
      encodeDer(field(6), encodeDer(OCTET_STRING, x224)),
      encodeDer(field(7), encodeDer(SEQUENCE, chain)),
      encodeDer(field(9), encodeDer(UTF8_STRING, Buffer.from(address))),
    ]),
  );
}

/** `x224`: the target's refusal, where it sent one. */
export function cleanPathFailure(code: CleanPathError, x224?: Buffer): Buffer {
  const error = encodeDer(SEQUENCE, encodeDer(field(0), encodeDer(INTEGER, Buffer.of(code))));
  const answer = x224 === undefined ? [] : [encodeDer(field(6), encodeDer(OCTET_STRING, x224))];
  return encodeDer(SEQUENCE, Buffer.concat([VERSION, encodeDer(field(1), error), ...answer]));
}

function fieldOf(content: Buffer, number: number): DerElement[] {
  const found = decodeDer(content).find(({ tag }) => tag === field(number));
  return decodeDer(found?.content ?? Buffer.alloc(0));
}

function only(elements: DerElement[], tag: number): Buffer {
  const [element] = elements;
  if (element?.tag !== tag) throw new RangeError('another element was expected');
  return element.content;
}

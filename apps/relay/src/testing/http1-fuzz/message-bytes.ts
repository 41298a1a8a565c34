import type { Random } from './random.ts';
import * as shapes from './shapes.ts';

/** The share of unusual parts. With more of them too few messages would be accepted at all. */
const ODD_SHARE = 0.06;
const MUTATED_SHARE = 0.25;
/** Of answers of old devices, whose lines end in LF alone. */
const OLD_SHARE = 0.1;

/** One to three requests on one connection, valid or not. */
export function requestBytes(random: Random): Buffer {
  return messageBytes(random, (isLast) => {
    const method = odd(random) ? random.pick(shapes.oddMethods) : random.pick(shapes.methods);
    const target = odd(random) ? random.pick(shapes.oddTargets) : random.pick(shapes.targets);
    const version = odd(random) ? random.pick(shapes.versions) : 'HTTP/1.1';
    const host = odd(random) ? random.pick(shapes.hosts) : 'Host: a\r\n';
    return `${method} ${target} ${version}${lineEnd(random)}${host}${fieldsAndBody(random, isLast)}`;
  });
}

/** One answer, with interim answers before it or bytes of another one after it. */
export function responseBytes(random: Random): Buffer {
  const isOld = random.chance(OLD_SHARE);
  return messageBytes(random, (isLast) => {
    const line = odd(random) ? random.pick(shapes.oddStatusLines) : random.pick(shapes.statusLines);
    const text = `${line}${lineEnd(random)}${fieldsAndBody(random, isLast)}`;
    return isOld ? text.replaceAll('\r\n', '\n') : text;
  });
}

function messageBytes(random: Random, write: (isLast: boolean) => string): Buffer {
  const count = 1 + random.below(3);
  let text = random.chance(0.02) ? '\r\n' : '';
  for (let index = 1; index <= count; index++) text += write(index === count);
  if (random.chance(MUTATED_SHARE)) text = mutate(random, text);
  return Buffer.from(text, 'latin1');
}

function odd(random: Random): boolean {
  return random.chance(ODD_SHARE);
}

function lineEnd(random: Random): string {
  return random.chance(0.01) ? random.pick(shapes.lineEnds) : '\r\n';
}

function fieldsAndBody(random: Random, isLast: boolean): string {
  const payload = 'hello'.repeat(random.below(4)).slice(0, random.below(16));
  const framing = random.below(5);
  const fields: string[] = [];
  let body = '';
  if (framing === 0) body = random.chance(0.1) ? payload : '';
  else if (framing <= 2) {
    fields.push(`${random.pick(['Content-Length', 'content-length', 'CONTENT-LENGTH'])}: ${lengthOf(random, payload)}`);
    body = payload;
  } else {
    fields.push(`Transfer-Encoding: ${random.chance(0.1) ? random.pick(shapes.values) : 'chunked'}`);
    body = chunked(random, payload);
  }
  while (random.chance(0.45)) fields.splice(random.below(fields.length + 1), 0, oddField(random));
  if (isLast && random.chance(0.1)) body = body.slice(0, random.below(body.length + 1));
  if (random.chance(0.01)) fields.push(...Array.from({ length: 30 + random.below(180) }, (_, at) => `X-${at}: ${at}`));
  return `${fields.map((field) => field + lineEnd(random)).join('')}\r\n${body}`;
}

function lengthOf(random: Random, payload: string): string {
  if (odd(random)) return String(payload.length + random.below(5) - 2);
  return random.chance(0.1) ? `0${payload.length}` : String(payload.length);
}

function oddField(random: Random): string {
  if (random.chance(0.4)) return `X-A${random.pick(shapes.separators)}${random.pick(shapes.values)}`;
  if (random.chance(0.3)) return `Connection: ${random.pick(shapes.values)}`;
  if (random.chance(0.2)) return `Upgrade: ${random.pick(shapes.values)}`;
  return random.pick(shapes.names) + random.pick(shapes.separators) + random.pick(shapes.values);
}

function chunked(random: Random, payload: string): string {
  let text = '';
  for (let at = 0; at < payload.length;) {
    const part = payload.slice(at, at + 1 + random.below(8));
    text += `${chunkSize(random, part.length)}${chunkExtension(random)}${lineEnd(random)}${part}${lineEnd(random)}`;
    at += part.length;
  }
  text += `${random.chance(0.1) ? '000' : '0'}${chunkExtension(random)}${lineEnd(random)}`;
  if (random.chance(0.15)) text += random.pick(shapes.trailers);
  return `${text}${lineEnd(random)}`;
}

function chunkSize(random: Random, bytes: number): string {
  const digits = bytes.toString(16);
  if (!odd(random)) return digits;
  const forms = [
    `0${digits}`,
    digits.toUpperCase(),
    `+${digits}`,
    `-${digits}`,
    `0x${digits}`,
    ` ${digits}`,
    `${digits}_0`,
  ];
  const lengths = ['', (bytes + 1).toString(16), `1000000000000000${digits}`, `fffffffffffff${digits}`, `\0${digits}`];
  return random.pick([...forms, ...lengths]);
}

function chunkExtension(random: Random): string {
  return random.chance(0.1) ? random.pick(shapes.extensions) : '';
}

/** Changes bytes at random, without regard to their meaning. */
function mutate(random: Random, text: string): string {
  let mutated = text;
  do {
    const at = random.below(mutated.length + 1);
    const until = Math.min(mutated.length, at + 1 + random.below(random.chance(0.5) ? 3 : 30));
    const [before, part, after] = [mutated.slice(0, at), mutated.slice(at, until), mutated.slice(until)];
    switch (random.below(5)) {
      case 0:
        mutated = before + random.pick(shapes.oddBytes) + part + after;
        break;
      case 1:
        mutated = before + random.pick(shapes.oddBytes) + part.slice(1) + after;
        break;
      case 2:
        mutated = before + after;
        break;
      case 3:
        mutated = before + part + part + after;
        break;
      default:
        mutated = before + String.fromCharCode(random.below(256)) + part.slice(1) + after;
    }
  } while (random.chance(0.3));
  return mutated;
}

/*
 * NOTE: own code, because the relay parses the visitor's address for each request and, for each open stream, every
 * second. ipaddr.js takes about ten times as long, accepts `127.1`, and reads `::192.0.2.1` as an IPv4-mapped address.
 */

const DOT = 0x2e;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_A = 0x61;
const LOWER_F = 0x66;
/** The bit by which upper and lower case differ in ASCII. */
const LOWER_CASE = 0x20;

/**
 * Parses the four octets of an IPv4 address. Leading zeros are refused: `010` is 8 for some programs and 10 for others.
 */
export function readOctets(text: string, start = 0): number[] | undefined {
  const octets: number[] = [];
  let octet = -1;
  for (let at = start; at <= text.length; at++) {
    const code = at === text.length ? DOT : text.charCodeAt(at);
    if (code === DOT) {
      if (octet === -1) return undefined;
      octets.push(octet);
      octet = -1;
    } else {
      if (code < ZERO || code > NINE || octet === 0) return undefined;
      octet = Math.max(octet, 0) * 10 + code - ZERO;
      if (octet > 255) return undefined;
    }
  }
  return octets.length === 4 ? octets : undefined;
}

/**
 * Parses the eight 16-bit groups of an IPv6 address (RFC 4291 §2.2). The last two may be written like an IPv4 address.
 */
export function readGroups(text: string): number[] | undefined {
  const groups: number[] = [];
  let gapAt = -1;
  let at = 0;
  while (at < text.length) {
    if (text.charCodeAt(at) === COLON) {
      // `::`, at the beginning or after a group.
      if (gapAt !== -1 || (at === 0 && text.charCodeAt(++at) !== COLON)) return undefined;
      gapAt = groups.length;
      at++;
      continue;
    }
    const end = endOfGroup(text, at);
    if (text.charCodeAt(end) === DOT) {
      const [a, b, c, d] = readOctets(text, at) ?? [];
      if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
      groups.push((a << 8) | b, (c << 8) | d);
      break;
    }
    if (end === at || end - at > 4 || groups.length === 8) return undefined;
    groups.push(hexadecimal(text, at, end));
    if (end === text.length) break;
    // A single colon must not end the text.
    if (text.charCodeAt(end) !== COLON || end + 1 === text.length) return undefined;
    at = end + 1;
  }
  if (gapAt === -1) return groups.length === 8 ? groups : undefined;
  if (groups.length > 7) return undefined;
  const after = groups.splice(gapAt);
  while (groups.length + after.length < 8) groups.push(0);
  return [...groups, ...after];
}

function endOfGroup(text: string, start: number): number {
  let end = start;
  while (end < text.length && digitOf(text.charCodeAt(end)) !== -1) end++;
  return end;
}

function hexadecimal(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 16 + digitOf(text.charCodeAt(at));
  return value;
}

/** Returns -1 for a character that is not a hexadecimal digit. */
function digitOf(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  const letter = code | LOWER_CASE;
  return letter >= LOWER_A && letter <= LOWER_F ? letter - LOWER_A + 10 : -1;
}

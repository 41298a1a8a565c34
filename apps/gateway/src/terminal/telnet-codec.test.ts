import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TelnetCodec } from './telnet-codec.ts';

const [IAC, DONT, DO, WONT, WILL, SB, SE] = [255, 254, 253, 252, 251, 250, 240];
const [BINARY, ECHO, SGA, TTYPE, NAWS, LINEMODE] = [0, 1, 3, 24, 31, 34];

function exchange(codec: TelnetCodec, ...bytes: number[]): { text: string; reply: number[] } {
  const { text, reply } = codec.decode(Uint8Array.from(bytes));
  return { text: text.toString('latin1'), reply: [...reply] };
}

function createCodec(): TelnetCodec {
  return new TelnetCodec({ columns: 80, rows: 24 });
}

describe('options', () => {
  test.each([
    ['WILL ECHO', [WILL, ECHO], [IAC, DO, ECHO]],
    ['WILL SGA', [WILL, SGA], [IAC, DO, SGA]],
    ['WILL BINARY', [WILL, BINARY], [IAC, DO, BINARY]],
    ['WILL LINEMODE', [WILL, LINEMODE], [IAC, DONT, LINEMODE]],
    ['DO TTYPE', [DO, TTYPE], [IAC, WILL, TTYPE]],
    ['DO BINARY', [DO, BINARY], [IAC, WILL, BINARY]],
    ['DO ECHO', [DO, ECHO], [IAC, WONT, ECHO]],
    ['DONT SGA', [DONT, SGA], []],
    ['WONT ECHO', [WONT, ECHO], []],
  ])('%s is answered once', (_what, command, answer) => {
    const codec = createCodec();
    expect(exchange(codec, IAC, ...command).reply).toEqual(answer);
    const isRefused = answer[1] === DONT || answer[1] === WONT;
    expect(exchange(codec, IAC, ...command).reply).toEqual(isRefused ? answer : []);
  });

  test('an option can be switched off and on again', () => {
    const codec = createCodec();
    exchange(codec, IAC, WILL, ECHO);
    expect(exchange(codec, IAC, WONT, ECHO).reply).toEqual([IAC, DONT, ECHO]);
    expect(exchange(codec, IAC, WILL, ECHO).reply).toEqual([IAC, DO, ECHO]);
  });

  test('the size is sent when it is asked for and when it changes, with 255 doubled', () => {
    const codec = createCodec();
    expect([...codec.resize({ columns: 100, rows: 30 })]).toEqual([]);
    const answer = [IAC, WILL, NAWS, IAC, SB, NAWS, 0, 100, 0, 30, IAC, SE];
    expect(exchange(codec, IAC, DO, NAWS).reply).toEqual(answer);
    expect([...codec.resize({ columns: 255, rows: 511 })]).toEqual([IAC, SB, NAWS, 0, 255, 255, 1, 255, 255, IAC, SE]);
  });

  test('the type of the terminal is sent when it is asked for', () => {
    const codec = createCodec();
    const question = [IAC, SB, TTYPE, 1, IAC, SE];
    expect(exchange(codec, ...question).reply).toEqual([]);
    exchange(codec, IAC, DO, TTYPE);
    const answer = [IAC, SB, TTYPE, 0, ...Buffer.from('XTERM-256COLOR'), IAC, SE];
    expect(exchange(codec, ...question).reply).toEqual(answer);
  });

  test('a target that speaks Telnet and does not echo needs an echo here', () => {
    const codec = createCodec();
    exchange(codec, ...Buffer.from('login: '));
    expect(codec.needsLocalEcho).toBe(false);
    exchange(codec, IAC, DO, TTYPE);
    expect(codec.needsLocalEcho).toBe(true);
    exchange(codec, IAC, WILL, ECHO);
    expect(codec.needsLocalEcho).toBe(false);
  });
});

describe('text', () => {
  test('commands are taken out, and a doubled 255 is one', () => {
    expect(exchange(createCodec(), 97, IAC, IAC, 98, IAC, 241, 99, IAC, SB, 5, IAC, IAC, 6, IAC, SE, 100).text).toBe(
      'a\xffbcd',
    );
  });

  test('a carriage return loses its NUL, unless the target sends binary', () => {
    const codec = createCodec();
    expect(exchange(codec, 13, 0, 13, 10, 13, 97).text).toBe('\r\r\n\ra');
    exchange(codec, IAC, WILL, BINARY);
    expect(exchange(codec, 13, 0).text).toBe('\r\0');
  });

  test('a typed carriage return gets a NUL, unless we send binary', () => {
    const codec = createCodec();
    expect([...codec.encode(Uint8Array.of(97, 13, 255))]).toEqual([97, 13, 0, 255, 255]);
    exchange(codec, IAC, DO, BINARY);
    expect([...codec.encode(Uint8Array.of(97, 13, 255))]).toEqual([97, 13, 255, 255]);
  });

  test('BusyBox, which begins with DO ECHO and lets some NULs through, gets a carriage return alone', () => {
    const busyBox = createCodec();
    exchange(busyBox, IAC, DO, ECHO, IAC, DO, NAWS, IAC, WILL, ECHO);
    expect([...busyBox.encode(Uint8Array.of(97, 13, 98, 13))]).toEqual([97, 13, 98, 13]);
    expect([...busyBox.encode(Uint8Array.of(13, 10, 13, 0))]).toEqual([13, 0, 10, 13, 0, 0]);
    const other = createCodec();
    exchange(other, IAC, WILL, ECHO, IAC, DO, ECHO);
    expect([...other.encode(Uint8Array.of(13))]).toEqual([13, 0]);
  });

  test('a subnegotiation that is broken off by another command does not swallow the text after it', () => {
    expect(exchange(createCodec(), IAC, SB, TTYPE, 1, IAC, WILL, ECHO, 97).text).toBe('a');
  });
});

describe('any bytes', () => {
  const interesting = fc.constantFrom(IAC, IAC, DONT, DO, WONT, WILL, SB, SE, BINARY, ECHO, SGA, TTYPE, NAWS, 13);
  const bytes = fc.array(fc.oneof(interesting, fc.nat({ max: 255 })), { maxLength: 300 });

  test('the pieces in which they come do not matter, and answers are not much longer than questions', () => {
    fc.assert(
      fc.property(bytes, fc.nat({ max: 300 }), (given, at) => {
        const whole = exchange(createCodec(), ...given);
        const codec = createCodec();
        const [first, second] = [exchange(codec, ...given.slice(0, at)), exchange(codec, ...given.slice(at))];
        expect(first.text + second.text).toBe(whole.text);
        expect([...first.reply, ...second.reply]).toEqual(whole.reply);
        expect(whole.reply.length).toBeLessThanOrEqual(given.length * 6);
      }),
    );
  });

  test('what is typed arrives unchanged at another side that speaks Telnet', () => {
    fc.assert(
      fc.property(bytes, bytes, (commands, typed) => {
        const [here, there] = [createCodec(), createCodec()];
        exchange(here, ...commands);
        const isBinary = exchange(here, IAC, DO, BINARY, IAC, SE).reply.includes(WILL);
        if (isBinary) exchange(there, IAC, WILL, BINARY);
        const { text } = there.decode(createCodec().encode(Uint8Array.from(typed)));
        const expected = isBinary ? typed.flatMap((byte) => (byte === 13 ? [13, 0] : [byte])) : typed;
        expect([...text]).toEqual(expected);
      }),
    );
  });

  test('two sides that answer each other come to an end', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const sides = [createCodec(), createCodec()];
        let onTheWire = Buffer.from(given);
        let rounds = 0;
        for (; onTheWire.length > 0; rounds += 1) {
          expect(rounds).toBeLessThan(10);
          onTheWire = Buffer.from(sides[rounds % 2]?.decode(onTheWire).reply ?? []);
        }
      }),
    );
  });
});

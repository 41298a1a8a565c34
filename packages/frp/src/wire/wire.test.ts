import { expect, test } from 'vitest';
import { FrpError } from '../frp-error.ts';
import { encodeFrpMessage, encodeV2Frame, v2FrameType, type Wire } from './frames.ts';
import { FrpMessageDecoder } from './message-decoder.ts';
import { StreamOpening, V2_MAGIC } from './stream-opening.ts';

const wires: Wire[] = ['v1', 'v2'];
const login = {
  version: '0.61.0',
  os: 'linux',
  arch: 'mips',
  user: '0123456789ab',
  privilege_key: 'f'.repeat(32),
  timestamp: 1_700_000_000,
};
const hello = Buffer.from('{"capabilities":{}}');

function openingOf(wire: Wire, message: Buffer): Buffer {
  if (wire === 'v1') return message;
  return Buffer.concat([V2_MAGIC, encodeV2Frame(v2FrameType.clientHello, hello), message]);
}

test('a message of wire v1 has the type, a length of 64 bits and JSON', () => {
  const bytes = encodeFrpMessage('v1', 'ReqWorkConn', {});
  expect(bytes.toString('latin1')).toBe('r\0\0\0\0\0\0\0\x02{}');
});

test.each(wires)('messages of wire %s are read wherever the bytes are cut', (wire) => {
  const bytes = Buffer.concat([
    encodeFrpMessage(wire, 'NewProxy', { proxy_name: 'ab.lan', proxy_type: 'tcp' }),
    encodeFrpMessage(wire, 'Ping', {}),
    encodeFrpMessage(wire, 'UDPPacket', { c: 'AAAA', r: { IP: '10.0.0.1', Port: 9, Zone: '' } }),
  ]);
  const expected = new FrpMessageDecoder(wire).push(bytes);
  expect(expected).toMatchObject([
    { type: 'NewProxy', proxy_name: 'ab.lan', proxy_type: 'tcp', use_encryption: false },
    { type: 'Ping' },
    { type: 'UDPPacket', c: 'AAAA', r: { IP: '10.0.0.1', Port: 9 } },
  ]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const decoder = new FrpMessageDecoder(wire);
    expect([...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))]).toEqual(expected);
  }
});

test.each(wires)('a stream of wire %s is recognized wherever its first bytes are cut', (wire) => {
  const bytes = Buffer.concat([openingOf(wire, encodeFrpMessage(wire, 'Login', login)), Buffer.from('sealed')]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const opening = new StreamOpening();
    const opened = opening.push(bytes.subarray(0, cut)) ?? opening.push(bytes.subarray(cut));
    expect(opened).toMatchObject({ wire, message: { type: 'Login', ...login, run_id: '' } });
    expect(opened?.clientHello).toEqual(wire === 'v2' ? hello : undefined);
    const late = cut === bytes.length || opened?.rest.length === 6;
    expect(late || bytes.subarray(0, cut).toString().includes('}')).toBe(true);
  }
});

test.each(wires)('fields that frpc leaves out are empty, and unknown ones are ignored (wire %s)', (wire) => {
  const message = { proxy_name: 'x', plugin: { type: 'http_proxy' }, local_ip: '127.0.0.1' };
  expect(new FrpMessageDecoder(wire).push(encodeFrpMessage(wire, 'NewProxy', message))).toEqual([
    {
      ...{ type: 'NewProxy', proxy_name: 'x', proxy_type: '', remote_port: 0, subdomain: '' },
      ...{ use_encryption: false, use_compression: false, group: '', group_key: '', sk: '' },
      ...{ http_user: '', http_pwd: '', host_header_rewrite: '', route_by_http_user: '' },
    },
  ]);
});

const v1 = (type: string, length: bigint, body = '') => {
  const header = Buffer.alloc(9);
  header.write(type, 0, 'latin1');
  header.writeBigInt64BE(length, 1);
  return Buffer.concat([header, Buffer.from(body)]);
};
const v2 = (type: number, flags: number, length: number, payload = Buffer.alloc(0)) => {
  const header = Buffer.alloc(8);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(flags, 2);
  header.writeUInt32BE(length, 4);
  return Buffer.concat([header, payload]);
};

test.each<[string, Wire, Buffer]>([
  ['of an unknown type', 'v1', Buffer.from('Z')],
  ['that is too long', 'v1', v1('o', 10_241n)],
  ['with a length of 2^62', 'v1', v1('o', 2n ** 62n)],
  ['with a negative length', 'v1', v1('o', -1n)],
  ['that is not JSON', 'v1', v1('o', 1n, '{')],
  ['that is not UTF-8', 'v1', Buffer.concat([v1('o', 4n), Buffer.from([0x22, 0xff, 0xfe, 0x22])])],
  ['that is a list', 'v1', v1('o', 2n, '[]')],
  ['with a number for a name', 'v1', v1('o', 10n, '{"user":1}')],
  ['with a name that is too long', 'v1', v1('o', 211n, `{"user":"${'x'.repeat(200)}"}`)],
  ['of an unknown id', 'v2', v2(16, 0, 4, Buffer.from([0, 99, 0x7b, 0x7d]))],
  ['without an id', 'v2', v2(16, 0, 1, Buffer.from([0]))],
  ['in an unknown frame', 'v2', v2(3, 0, 0)],
  ['with flags', 'v2', v2(16, 1, 0)],
  ['in a frame that is too long', 'v2', v2(16, 0, 65_537)],
])('a message %s is refused (wire %s)', (_name, wire, bytes) => {
  expect(() => new FrpMessageDecoder(wire).push(bytes)).toThrow(FrpError);
});

test.each(['GET / HTTP/1.1\r\n', 'FRP\0\x01', 'SSH-2.0'])('%j is no stream of frp', (text) => {
  expect(() => new StreamOpening().push(Buffer.from(text, 'latin1'))).toThrow(FrpError);
});

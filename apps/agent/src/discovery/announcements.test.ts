import { anyText } from '@tongtu/base/testing/any-text';
import { encode, decode, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { MAX_SEEN_LIST_LENGTH, MAX_SERVICES_PER_HOST, SeenHost } from '@tongtu/tunnel';
import { expect, test } from 'vitest';
import { HostTable } from './host-table.ts';
import { MdnsRecords } from './mdns-records.ts';
import { readDescription, readSsdpAnswer } from './ssdp-answer.ts';

const isOwn = (address: string) => address.startsWith('192.168.1.');
const name = '客厅.音箱._airplay._tcp.local';
const answers = [
  { name: '_services._dns-sd._udp.local', type: 'PTR', data: '_airplay._tcp.local' },
  { name: '_airplay._tcp.local', type: 'PTR', data: name },
  { name, type: 'SRV', data: { port: 7000, target: 'Speaker.local' } },
  { name, type: 'TXT', data: [Buffer.from('model=S1'), Buffer.from('a\u0000b')] },
  { name: 'speaker.local', type: 'A', data: '192.168.1.20' },
] as const;

test('records of several packets are joined to hosts with their names and services', () => {
  const records = new MdnsRecords();
  expect(records.add(answers.slice(0, 2), '192.168.1.20')).toEqual(['_airplay._tcp.local']);
  expect(records.add(answers, '192.168.1.20')).toEqual([]);
  expect(records.hosts(isOwn)).toEqual([
    {
      address: '192.168.1.20',
      name: 'speaker',
      announced: [{ type: '_airplay._tcp', name: '客厅.音箱', port: 7000, txt: ['model=S1', 'a b'] }],
    },
  ]);
});

test('an address outside of the own network is no host; its service is that of the sender', () => {
  const records = new MdnsRecords();
  records.add([...answers.slice(1, 4), { name: 'speaker.local', type: 'A', data: '8.8.8.8' }], '192.168.1.7');
  expect(records.hosts(isOwn).map(({ address }) => address)).toEqual(['192.168.1.7']);
  expect(records.hosts(() => false)).toEqual([]);
});

test('whatever packets say, hosts keep to the limits of a report', () => {
  const packet = encode({ type: 'response', answers: answers as unknown as Packet['answers'] & object });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(packet.length - 1), fc.nat(255)), { maxLength: 12 }), (changes) => {
      const bytes = Buffer.from(packet);
      for (const [at, value] of changes) bytes[at] = value;
      const records = new MdnsRecords();
      try {
        records.add(decode(bytes).answers ?? [], '192.168.1.20');
      } catch {
        return; // no DNS message: the library skips it
      }
      const table = new HostTable();
      for (const host of records.hosts(isOwn)) table.addMdns(host);
      for (const part of table.takeChanged()) for (const host of part) SeenHost.parse(host);
    }),
    { numRuns: 500 },
  );
});

test('a flood of records is cut off', () => {
  const records = new MdnsRecords();
  const many = Array.from({ length: 10_000 }, (_, index) => `n${index}._http._tcp.local`);
  records.add(
    many.map((data) => ({ name: '_http._tcp.local', type: 'PTR', data })),
    '192.168.1.20',
  );
  const table = new HostTable();
  for (const host of records.hosts(isOwn)) table.addMdns(host);
  const [[host] = []] = [...table.takeChanged()];
  expect(SeenHost.parse(host).mdns).toHaveLength(MAX_SERVICES_PER_HOST);
});

const answer = (location: string) => `HTTP/1.1 200 OK\r\nServer: X/1\r\nLOCATION: ${location}\r\n\r\n`;

test.each([
  ['http://192.168.1.9:5000/a?b=1', { address: '192.168.1.9', port: 5000, path: '/a?b=1' }],
  ['http://192.168.1.9', { address: '192.168.1.9', port: 80, path: '/' }],
  ['http://192.168.1.10/', undefined],
  ['http://127.0.0.1/', undefined],
  ['http://192.168.1.9.evil.example/', undefined],
  ['http://192.168.1.9@8.8.8.8/', undefined],
  ['http://user@192.168.1.9/', undefined],
  ['https://192.168.1.9/', undefined],
  ['file:///etc/passwd', undefined],
  ['http://[::1]/', undefined],
  [`http://192.168.1.9/${'x'.repeat(400)}`, undefined],
])('of a sender at 192.168.1.9 the description at %s is read: %j', (location, expected) => {
  expect(readSsdpAnswer(answer(location), '192.168.1.9')).toEqual({ server: 'X/1', location: expected });
});

test('a description gives its names as short plain lines', () => {
  const xml =
    '<device><friendlyName>书房 &lt;1&gt;</friendlyName><manufacturer>A\u0000B</manufacturer><modelName/></device>';
  expect(readDescription(xml)).toEqual({ friendlyName: '书房 <1>', manufacturer: 'A B' });
});

test('any answer and any description are read without an error', () => {
  fc.assert(
    fc.property(anyText(500), (text) => {
      readSsdpAnswer(answer(text), '192.168.1.9');
      readSsdpAnswer(text, '192.168.1.9');
      const table = new HostTable();
      const announced = Array.from({ length: 30 }, () => readDescription(`<friendlyName>${text}</friendlyName>`));
      table.addSsdp({ address: '192.168.1.9', announced });
      for (const part of table.takeChanged())
        for (const host of part) expect(SeenHost.parse(host).ssdp.length).toBeLessThanOrEqual(MAX_SEEN_LIST_LENGTH);
    }),
  );
});

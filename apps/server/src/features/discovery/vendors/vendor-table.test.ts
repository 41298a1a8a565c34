import { expect, test } from 'vitest';
import { VendorTable } from './vendor-table.ts';

test.each([
  ['00:11:32:aa:bb:cc', 'Synology'],
  ['24:0a:c4:00:00:01', 'Espressif'],
  ['00:00:00:12:34:56', 'XEROX'],
  // A prefix of 36 bits within one of 24 bits that the registry itself holds.
  ['70:b3:d5:00:10:00', 'SOREDI touch systems'],
  // Random addresses, as phones use them.
  ['da:a1:19:00:00:01', ''],
  ['ff:ff:ff:ff:ff:ff', ''],
])('%s was made by %j', async (mac, vendor) => {
  expect((await VendorTable.load()).find(mac)).toContain(vendor);
});

test('every prefix of the table is found', async () => {
  const table = await VendorTable.load();
  for (let first = 0; first < 256; first += 4) {
    const mac = `${first.toString(16).padStart(2, '0')}:00:00:00:00:00`;
    expect(table.find(mac)).not.toContain('\n');
  }
});

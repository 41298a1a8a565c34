import type { DeletedMapping } from '@tongtu/contract';
import { expect, test } from 'vitest';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { placeOptions } from './place-options.ts';

test('a mapping that was just deleted is listed once, even while the list of devices is stale', () => {
  const mapping = mappingOf();
  const device = deviceOf({ mappings: [mapping] });
  const deleted: DeletedMapping = {
    id: mapping.id,
    kind: mapping.kind,
    domain: mapping.domain,
    port: null,
    router: device.id,
    router_name: device.name,
    router_deleted: false,
    deleted_at: '2026-11-23T08:00:00.000Z',
  };

  const { mappings, devices } = placeOptions([device], [deleted], { router: undefined, mapping: undefined });

  expect(mappings).toEqual([{ label: expect.any(String), options: [expect.objectContaining({ value: mapping.id })] }]);
  expect(devices).toEqual([expect.objectContaining({ value: device.id })]);
});

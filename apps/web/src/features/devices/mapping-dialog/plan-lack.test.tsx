import { cleanup, screen } from '@testing-library/react';
import type { Device } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { PlanLack } from './plan-lack.tsx';

afterEach(cleanup);

const plan = {
  id: 1,
  name: '标准版',
  is_free: false,
  ends_at: '2126-01-01T00:00:00.000Z',
  is_expired: false,
  app_kinds: [],
};
const full: Partial<Device> = { mapping_limit: 1, mappings: [mappingOf()] };

function open(device: Partial<Device>, { isNew = true } = {}) {
  show(<PlanLack device={deviceOf({ id: 7, ...device })} isNew={isNew} />, {});
}

test.each([true, false])('without a valid plan neither a new nor a changed mapping can be saved (new: %j)', (isNew) => {
  open({ state: 'plan_expired' }, { isNew });
  screen.getByText('这台设备没有有效的套餐，选择套餐后才能保存');
  expect(screen.getByRole('link', { name: '选择套餐' }).getAttribute('href')).toContain('7');
});

test('a plan whose mappings are used up allows no new one', () => {
  open({ plan, ...full });
  screen.getByText('套餐的 1 条域名映射已用完，升级套餐或删除不用的映射后才能新增');
  screen.getByRole('link', { name: '升级套餐' });
});

test.each<[string, Partial<Device>, boolean]>([
  ['the plan has room', { plan, mapping_limit: 2, mappings: [mappingOf()] }, true],
  ['a mapping is changed, not added', { plan, ...full }, false],
  ['there are no plans', full, true],
])('nothing is said when %s', (_, device, isNew) => {
  open(device, { isNew });
  expect(screen.queryByRole('alert')).toBeNull();
});

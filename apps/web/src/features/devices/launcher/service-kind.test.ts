import { expect, test } from 'vitest';
import { serviceKind } from './service-kind.ts';

test.each([
  ['群晖管理页', 'nas', undefined, 'nas'],
  ['NAS 相册', 'nas', 5000, 'photos'],
  ['', 'jellyfin', undefined, 'video'],
  ['', 'x', 8123, 'home'],
  ['', 'git', 3000, 'code'],
  ['主路由', 'gw', undefined, 'router'],
  ['', 'digital', undefined, undefined],
  ['', 'x', 1234, undefined],
])('%s at %s with the port %s is shown as %s', (remark, prefix, port, kind) => {
  expect(serviceKind({ words: [remark, prefix], port })).toBe(kind);
});

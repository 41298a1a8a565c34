import { expect, test } from 'vitest';
import { ApiError } from '../../../../api/index.ts';
import { FileNames } from '../file-names.ts';
import type { FilesClient } from '../files-client.ts';
import { groupsForQuery } from '../paths-in-query.ts';
import { copyName, transfer } from './transfer.ts';

function refusal(code: string): ApiError {
  const problem = { type: 'problem', status: 409, code, detail: '原因', fields: {}, requestId: '' } as const;
  return new ApiError({ ...problem, retryAfterSeconds: undefined });
}

/** Answers each path with an error, or does what was asked. */
function clientOf(errors: Record<string, ApiError>) {
  const sent: unknown[] = [];
  const run: FilesClient['move'] = async (given) => {
    sent.push(given);
    const error = errors[given.from];
    if (error) throw error;
    return await Promise.resolve({ done: 1, failed_count: 0, failed: [] });
  };
  const names = new FileNames('auto');
  return { client: { move: run, copy: run, names } as unknown as FilesClient, sent }; // the calls that a transfer makes
}

const input = { folder: '/to', taken: new Set<string>(), overwrite: false } as const;

test('what exists there is asked about afterwards, what fails is listed, and the others are done', async () => {
  const { client } = clientOf({ '/a/1': refusal('files.exists'), '/a/2': refusal('files.forbidden') });
  const result = await transfer(client, { ...input, kind: 'move', paths: ['/a/1', '/a/2', '/a/3'] });
  expect(result).toMatchObject({ done: 1, failed_count: 1, existing: ['/a/1'] });
  expect(result.failed).toEqual([{ path: '/a/2', code: 'files.forbidden', detail: '原因' }]);
});

test('without the connection nothing more is tried', async () => {
  const { client, sent } = clientOf({ '/a/1': refusal('target.lost') });
  const moved = transfer(client, { ...input, kind: 'move', paths: ['/a/1', '/a/2'] });
  await expect(moved).rejects.toThrow('target.lost');
  expect(sent).toHaveLength(1);
});

test('a copy beside its original gets a name of its own', async () => {
  const { client, sent } = clientOf({});
  const taken = new Set(['1.tar', '1 副本.tar']);
  await transfer(client, { ...input, kind: 'copy', paths: ['/to/1.tar'], taken });
  expect(sent).toEqual([{ from: '/to/1.tar', to: '/to/1 副本 2.tar', overwrite: false }]);
  expect(copyName('.bashrc', new Set())).toBe('.bashrc 副本');
});

test('paths are split into groups that fit into an address', () => {
  const paths = Array.from({ length: 300 }, (_, index) => `/照片/很长的文件名 ${index}.jpg`);
  const groups = groupsForQuery(paths);
  expect(groups.flat()).toEqual(paths);
  expect(groups.length).toBeGreaterThan(1);
  for (const group of groups) expect(encodeURIComponent(JSON.stringify(group)).length).toBeLessThan(6_100);
});

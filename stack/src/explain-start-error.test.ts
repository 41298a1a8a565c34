import { expect, test } from 'vitest';
import { explainStartError } from './explain-start-error.ts';

const failure = (code: string, cause?: Error) => Object.assign(new Error(`it failed: ${code}`, { cause }), { code });

test.each([
  ['a full disk', failure('ENOSPC'), /\/data：磁盘空间已满。请清理磁盘/],
  ['a used-up quota', failure('EDQUOT'), /\/data：磁盘配额已用完/],
  ['a read-only disk', failure('EROFS'), /\/data：所在磁盘是只读的/],
  [
    'a full disk as the cause of other errors',
    new Error('a', { cause: failure('state.unusable', failure('ENOSPC')) }),
    /磁盘/,
  ],
  ['a full disk of the database', new Error('migration', { cause: failure('53100') }), /数据库所在的磁盘空间已满/],
  ['too many open files', failure('EMFILE'), /LimitNOFILE/],
])('%s is explained', (_, error, sentence) => {
  const explained = explainStartError(error, '/data');
  expect(explained?.message).toMatch(sentence);
  expect(explained?.cause).toBe(error);
});

test('a bug is not explained', () => {
  expect(explainStartError(new TypeError('x is undefined'), '/data')).toBeUndefined();
  expect(explainStartError(failure('ENOENT'), '/data')).toBeUndefined();
  expect(explainStartError('text', '/data')).toBeUndefined();
});

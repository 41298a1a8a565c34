import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = path.join(import.meta.dirname, 'testing/few-descriptors.ts');
const MAX_OPEN_FILES = 64;

test('a process without free file descriptors logs it once, and accepts connections when some are free again', async () => {
  const shell = ['-c', `ulimit -n ${MAX_OPEN_FILES}; exec "$0" "$1"`, process.execPath, PROGRAM];
  const { stdout } = await promisify(execFile)('sh', shell);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; limit?: number; err?: { code: string } });

  // The visitor runs in the same process and took the last descriptor, so the listener could not accept it.
  const [first, ...rest] = lines.map(({ msg }) => msg).filter((msg) => !msg.startsWith('no file descriptor'));
  expect([first, ...rest]).toEqual(['the visitor is closed', 'accepted', 'the visitor is closed']);
  const logged = lines.filter(({ msg }) => msg.startsWith('no file descriptor'));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ limit: MAX_OPEN_FILES, err: { code: 'EMFILE' } });
});

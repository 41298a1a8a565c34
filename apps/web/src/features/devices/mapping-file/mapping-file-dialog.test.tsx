import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MAX_MAPPING_FILE_LENGTH } from '@tongtu/contract/limits';
import { ApiError } from '../../../api/index.ts';
import { deviceOf } from '../../../testing/device-fixtures.ts';
import { show } from '../../../testing/show.tsx';
import { mappingFileText } from '../../../text/devices/mapping-file.ts';
import { MappingFileDialog } from './mapping-file-dialog.tsx';

afterEach(cleanup);

const post = 'POST /api/user/routers/{id}/mapping_file/';
const plan = {
  ...{ added: ['nas'], changed: [{ address: 'ssh', fields: ['target', 'remark'] }] },
  ...{ deleted: [], kept: ['old'], unchanged: 3 },
};

function choose(text: string): void {
  const input = screen.getByLabelText('选择文件', { selector: 'input' });
  fireEvent.change(input, { target: { files: [new File([text], 'nas.yaml')] } });
}

test('a chosen file is previewed, and imported only after that', async () => {
  const calls = show(<MappingFileDialog device={deviceOf()} onClose={() => undefined} />, { [post]: () => plan });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '导入' }).disabled).toBe(true);
  choose('version: 1');
  expect(await screen.findByText('新建 1')).toBeTruthy();
  expect(screen.getByText('ssh（目标地址、备注）')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '导入' }));
  const body = { yaml: 'version: 1', delete_others: false };
  await waitFor(() =>
    expect(calls.map(({ input }) => input)).toMatchObject([
      { body: { ...body, dry_run: true } },
      { body: { ...body, dry_run: false } },
    ]),
  );
});

test('a file that is too large takes the place of the one chosen before', async () => {
  const calls = show(<MappingFileDialog device={deviceOf()} onClose={() => undefined} />, { [post]: () => plan });
  choose('version: 1');
  expect(await screen.findByText('新建 1')).toBeTruthy();
  choose('x'.repeat(MAX_MAPPING_FILE_LENGTH + 1));
  await waitFor(() => expect(screen.queryByText('新建 1')).toBeNull());
  expect(screen.queryByText(mappingFileText.chosen('nas.yaml'))).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '导入' }).disabled).toBe(true);
  expect(calls).toHaveLength(1);
});

test('a file that is not valid shows the lines', async () => {
  const lines = ['第 3 行：prefix：请填写文字', '第 9 行：target：地址的格式不正确'];
  const failure = new ApiError({
    ...({ type: 'problem', status: 422, code: 'mapping-file.invalid', detail: '文件有问题，没有做任何修改' } as const),
    ...{ fields: { yaml: lines }, requestId: '', retryAfterSeconds: undefined },
  });
  show(<MappingFileDialog device={deviceOf()} onClose={() => undefined} />, { [post]: () => Promise.reject(failure) });
  choose('x');
  for (const line of lines) expect(await screen.findByText(line)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '导入' }).disabled).toBe(true);
});

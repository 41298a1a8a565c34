import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { App } from 'antd';
import { afterEach, expect, test } from 'vitest';
import { type Api, ApiProvider, errorText } from '../../api/index.ts';
import { DeleteDeviceDialog } from './delete-device-dialog.tsx';
import { deviceOf } from '../../testing/device-fixtures.ts';

afterEach(cleanup);

const device = deviceOf();

/** Opens the dialog; returns the list of the calls it makes. */
function open(answer: Promise<unknown> = Promise.resolve({ ok: true })): unknown[] {
  const calls: unknown[] = [];
  const call = async (key: string, input: unknown) => {
    calls.push([key, input]);
    return await answer;
  };
  const api = { call, endSession: async () => undefined } as unknown as Api; // its only call is answered
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ApiProvider value={api}>
        <App>
          <DeleteDeviceDialog device={device} onClose={() => undefined} />
        </App>
      </ApiProvider>
    </QueryClientProvider>,
  );
  return calls;
}

function sendName(name: string): void {
  const field = screen.getByRole('textbox');
  fireEvent.change(field, { target: { value: name } });
  if (field instanceof HTMLInputElement && field.form) fireEvent.submit(field.form);
}

const confirmButton = () => screen.getByRole<HTMLButtonElement>('button', { name: '删除设备' });

test.each(['', '家里的', '家里的群晖2'])('a device is not deleted when %j is typed for its name', async (name) => {
  const calls = open();
  sendName(name);
  await waitFor(() => expect(screen.getByText('输入的数据不合法!')).toBeTruthy());
  expect(confirmButton().disabled).toBe(true);
  expect(calls).toEqual([]);
});

test('a device is deleted when its name is typed, spaces around it aside', async () => {
  const calls = open();
  sendName(' 家里的群晖 ');
  await waitFor(() => expect(calls).toEqual([['DELETE /api/user/routers/{id}/', { params: { id: 7 } }]]));
});

test('a failure is shown also when the name was changed meanwhile, until it is changed again', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const calls = open(promise);
  sendName('家里的群晖');
  await waitFor(() => expect(calls).toHaveLength(1));
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '家里的群晖 ' } });
  reject(new Error('offline'));
  await screen.findByText(errorText(new Error('offline')));
  fireEvent.change(screen.getByRole('textbox'), { target: { value: '家里的' } });
  await waitFor(() => expect(screen.queryByText(errorText(new Error('offline')))).toBeNull());
});

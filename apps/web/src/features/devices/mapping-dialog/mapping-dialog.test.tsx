import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { Mapping } from '@tongtu/contract';
import { App } from 'antd';
import { initialOptions, optionsToFields } from '@tongtu/contract/mapping-options';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/client/api-error.ts';
import { type Api, ApiProvider } from '../../../api/index.ts';
import { MappingDialog } from './mapping-dialog.tsx';
import { deviceOf, mappingOf } from '../../../testing/device-fixtures.ts';

// Rendering a form of this size takes long on a busy machine.

const mapping = mappingOf();
const device = deviceOf();

const prefixTaken = {
  type: 'problem',
  status: 409,
  code: 'mapping.prefix-taken',
  detail: '',
  fields: {},
  requestId: '',
  retryAfterSeconds: undefined,
} as const;

const onClose = vi.fn<() => void>();
/** The changing calls, with the answers that the test gives to them. */
let saves: { input: unknown; answer: (saved: Mapping) => void; fail: (error: Error) => void }[];

beforeEach(() => {
  saves = [];
  onClose.mockReset();
});
afterEach(cleanup);

function Screen({ isOpen, edited }: { isOpen: boolean; edited: Mapping | undefined }) {
  if (!isOpen) return null;
  const props = edited === undefined ? {} : { mapping: edited };
  return <MappingDialog device={device} devices={[device]} onClose={onClose} {...props} />;
}

/** Opens the dialog; the returned function unmounts it. */
function open(edited?: Mapping): () => void {
  const call = (key: string, input: unknown) =>
    key.startsWith('GET') ? Promise.resolve({}) : new Promise((answer, fail) => saves.push({ input, answer, fail }));
  const api = { call, endSession: async () => undefined } as unknown as Api; // its calls are answered above
  const client = new QueryClient();
  const tree = (isOpen: boolean) => (
    <QueryClientProvider client={client}>
      <ApiProvider value={api}>
        <App>
          <Screen isOpen={isOpen} edited={edited} />
        </App>
      </ApiProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(tree(true));
  return () => rerender(tree(false));
}

/** An input field. Radio buttons may have the same label. */
const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>(label, { selector: 'input:not([type=radio])' });
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

function pressEnter(): void {
  const { form } = field('主机');
  if (form) fireEvent.submit(form);
}

async function expectFirstSave(): Promise<void> {
  await waitFor(() => expect(saves).toHaveLength(1));
}

test('Enter pressed again and again sends once', async () => {
  onClose.mockImplementation(open());
  fill('主机', '192.168.1.10');
  fill('端口', '5000');
  fill('域名前缀', 'nas');
  pressEnter();
  pressEnter();
  await expectFirstSave();
  pressEnter();
  saves[0]?.answer(mapping);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(saves.map(({ input }) => input)).toEqual([
    {
      body: {
        router: 7,
        kind: 'http',
        target: 'http://192.168.1.10:5000',
        prefix: 'nas',
        custom_domain: null,
        port: null,
        ...optionsToFields(initialOptions),
        policy: 'owner',
        opens_at: null,
        closes_at: null,
        hours: null,
        remark: '',
      },
    },
  ]);
});

test('the field that the server refuses is focused', async () => {
  open(mapping);
  fill('域名前缀', 'photos');
  pressEnter();
  await expectFirstSave();
  field('备注').focus();
  saves[0]?.fail(new ApiError(prefixTaken));
  await screen.findByText('这个域名前缀已被使用，请换一个');
  await waitFor(() => expect(document.activeElement).toBe(field('域名前缀')));
});

test('a failure that belongs to no field is scrolled into view', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  open(mapping);
  pressEnter();
  await expectFirstSave();
  saves[0]?.fail(new ApiError({ type: 'network' }));
  const failure = await screen.findByRole('alert');
  expect(scroll.mock.contexts.some((element) => element instanceof Element && element.contains(failure))).toBe(true);
});

test('a mapping that was saved after its dialog was closed still shows its message, and closes nothing else', async () => {
  const leave = open(mapping);
  pressEnter();
  await expectFirstSave();
  leave();
  saves[0]?.answer(mapping);
  await screen.findByText('域名映射已修改');
  expect(onClose).not.toHaveBeenCalled();
});

test.each([undefined, mapping])('the host is where typing begins', (edited) => {
  open(edited);
  expect(document.activeElement).toBe(field('主机'));
});

test('Escape closes an untouched form and asks before it throws changes away', async () => {
  open(mapping);
  fireEvent.keyDown(window, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();

  fill('备注', '客厅');
  fireEvent.keyDown(window, { key: 'Escape' });
  await screen.findByText('改动还没有保存。');
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  ['192.168.1.300', '5000', '地址格式应如 192.168.1.10 或 nas.local'],
  ['ftp://192.168.1.10', '', '不支持这种地址，请填写 http、https、tcp 或 udp 服务的地址'],
  ['192.168.1.10', 'abc', '端口应为 1–65535 的数字'],
])('%s with port %j is not sent but explained', async (host, port, words) => {
  open();
  fill('域名前缀', 'nas');
  fill('主机', host);
  fill('端口', port);
  pressEnter();
  await screen.findByText(words);
  expect(saves).toEqual([]);
});

test('a pasted address takes the port of its scheme instead of the one that stood there', async () => {
  open(mapping);
  fill('主机', 'https://192.168.1.20/');
  fireEvent.blur(field('主机'));
  await waitFor(() => expect([field('主机').value, field('端口').value]).toEqual(['192.168.1.20', '443']));
});

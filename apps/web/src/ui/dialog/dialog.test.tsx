import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Button, Input, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import type { DialogStack, OpenDialog } from './dialog-stack.ts';
import { DialogStackProvider } from './use-open-dialog.ts';

afterEach(cleanup);

type OpenerProps = { children?: ReactNode; isForced?: boolean; onOpen?: (open: OpenDialog) => void };

/** A button that opens a dialog, and the dialogs that are open. */
function Opener({ children, isForced = false }: OpenerProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>打开</Button>
      {isOpen && (
        <Dialog title="对话框" {...(isForced ? { footer: null } : { onClose: () => setIsOpen(false) })}>
          {children}
        </Dialog>
      )}
    </>
  );
}

async function open(props: OpenerProps) {
  const dialogs: OpenDialog[] = [];
  const stack: DialogStack = {
    open(dialog) {
      dialogs.push(dialog);
      return () => void dialogs.splice(dialogs.indexOf(dialog), 1);
    },
    watchPage: () => () => undefined,
    noteNavigation: vi.fn<() => void>(),
    stop: vi.fn<() => void>(),
  };
  render(
    <DialogStackProvider value={stack}>
      <Opener {...props} />
    </DialogStackProvider>,
  );
  const opener = screen.getByRole('button', { name: /打\s?开/ });
  opener.focus();
  fireEvent.click(opener);
  const dialog = await screen.findByRole('dialog', { name: '对话框' });
  return { opener, dialog, dialogs };
}

const press = (key: string) => fireEvent.keyDown(window, { key });
const isClosed = () => screen.queryByRole('dialog', { name: '对话框' }) === null;

test('the focus goes to the first field, and returns to what opened the dialog', async () => {
  const { opener } = await open({ children: <Input aria-label="名称" /> });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('名称')));
  press('Escape');
  await waitFor(() => expect(isClosed()).toBe(true));
  expect(document.activeElement).toBe(opener);
});

test('of radio buttons the chosen one is focused', async () => {
  const radios = ['甲', '乙'].map((name) => (
    <input key={name} type="radio" name="choice" aria-label={name} defaultChecked={name === '乙'} />
  ));
  await open({ children: radios });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('乙')));
});

test('where nothing is typed into, a select is focused', async () => {
  await open({ children: <Select aria-label="有效期" options={[{ value: 3, label: '3 天' }]} /> });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: '有效期' })));
});

test('without a field the dialog itself is focused, not its close button', async () => {
  const { dialog } = await open({ children: '只有文字' });
  await waitFor(() => expect(document.activeElement).toBe(dialog));
});

test('Tab goes around inside', async () => {
  const { dialog } = await open({ children: '只有文字' });
  const buttons = within(dialog).getAllByRole('button');
  const [first, last] = [buttons[0], buttons.at(-1)];
  last?.focus();
  fireEvent.keyDown(last ?? dialog, { key: 'Tab' });
  expect(document.activeElement).toBe(first);
  fireEvent.keyDown(first ?? dialog, { key: 'Tab', shiftKey: true });
  expect(document.activeElement).toBe(last);
});

test.each([
  ['Escape', () => press('Escape')],
  ['Back', (dialogs: OpenDialog[]) => dialogs.at(-1)?.onBack()],
])('%s asks before it discards what was typed', async (_name, leave) => {
  const { dialogs } = await open({ children: <Input aria-label="名称" /> });
  expect(dialogs[0]?.hasUnsavedInput()).toBe(false);
  fireEvent.change(screen.getByLabelText('名称'), { target: { value: '家' } });
  expect(dialogs[0]?.hasUnsavedInput()).toBe(true);

  leave(dialogs);
  fireEvent.click(await screen.findByRole('button', { name: /放\s?弃/ }));
  await waitFor(() => expect(isClosed()).toBe(true));
});

test('the question that Back asks can keep the dialog open', async () => {
  const { dialogs } = await open({ children: <Input aria-label="名称" /> });
  fireEvent.change(screen.getByLabelText('名称'), { target: { value: '家' } });
  dialogs[0]?.onBack();
  fireEvent.click(await screen.findByRole('button', { name: '继续填写' }));
  await waitFor(() => expect(screen.queryByText('放弃填写的内容？')).toBeNull());
  expect(isClosed()).toBe(false);
  expect(document.activeElement).toBe(screen.getByLabelText('名称'));
});

test('its own buttons close it without a question', async () => {
  const { dialog } = await open({ children: <Input aria-label="名称" /> });
  fireEvent.change(screen.getByLabelText('名称'), { target: { value: '家' } });
  fireEvent.click(within(dialog).getByRole('button', { name: /取\s?消|Cancel/ }));
  await waitFor(() => expect(isClosed()).toBe(true));
});

test.each([
  ['a text that was changed back', <Input key="0" aria-label="名称" defaultValue="家" />, ['书房', '家']],
  ['a password', <Input.Password key="0" aria-label="名称" />, ['secret']],
  ['a one-time code', <Input key="0" aria-label="名称" autoComplete="one-time-code" />, ['123456']],
])('%s is nothing to lose', async (_what, field, texts) => {
  const { dialogs } = await open({ children: field });
  for (const value of texts) fireEvent.change(screen.getByLabelText('名称'), { target: { value } });
  expect(dialogs[0]?.hasUnsavedInput()).toBe(false);
});

test('a dialog that must be answered stays on Escape and Back', async () => {
  const { dialogs } = await open({ children: '必须确认', isForced: true });
  press('Escape');
  dialogs[0]?.onBack();
  expect(isClosed()).toBe(false);
});

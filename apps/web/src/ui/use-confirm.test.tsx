import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { Button } from 'antd';
import { afterEach, expect, test } from 'vitest';
import { QuestionProvider } from './dialog/question-provider.tsx';
import { useConfirm } from './use-confirm.ts';

afterEach(cleanup);

const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

function Remove({ onConfirm, ...more }: { onConfirm: () => void; canBeUndone?: true }) {
  const confirm = useConfirm();
  return (
    <Button onClick={() => confirm({ title: '删除？', text: '删除后找不回来', confirm: '删除', onConfirm, ...more })}>
      删
    </Button>
  );
}

async function open(more: { canBeUndone?: true } = {}) {
  let confirmed = 0;
  render(
    <QuestionProvider>
      <Remove onConfirm={() => confirmed++} {...more} />
    </QuestionProvider>,
  );
  fireEvent.click(screen.getByRole('button'));
  const dialog = await screen.findByRole('dialog');
  const button = (name: RegExp) => within(dialog).getByRole('button', { name });
  return { cancel: button(/取\s*消/), confirm: button(/删\s*除/), count: () => confirmed };
}

test('a question focuses the button that cancels, so that Enter only closes it', async () => {
  const { cancel, count } = await open();
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  fireEvent.click(cancel);
  await closed();
  expect(count()).toBe(0);
});

test.each([
  ['is red', {}, true],
  ['is not red where it can be undone', { canBeUndone: true } as const, false],
])('the button that confirms %s, and closes the question', async (_words, more, isRed) => {
  const { confirm, count } = await open(more);
  expect(confirm.classList.contains('ant-btn-color-dangerous')).toBe(isRed);
  fireEvent.click(confirm);
  await closed();
  expect(count()).toBe(1);
});

test('a question is withdrawn when the component that asked is unmounted', async () => {
  const asker = (isShown: boolean) => <QuestionProvider>{isShown && <Remove onConfirm={() => {}} />}</QuestionProvider>;
  const { rerender } = render(asker(true));
  fireEvent.click(screen.getByRole('button'));
  await screen.findByRole('dialog');
  rerender(asker(false));
  await closed();
});

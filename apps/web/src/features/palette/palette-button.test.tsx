import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '../../testing/show.tsx';
import { PaletteButton } from './palette-button.tsx';

afterEach(cleanup);

test('a palette that does not arrive is reported, the screen stays, and the next attempt opens it', async () => {
  let isAway = true;
  const load = async <Part,>(part: Part) => {
    if (isAway) throw new TypeError('Failed to fetch dynamically imported module');
    return part;
  };
  const Palette = () => <p>面板</p>;
  const ShortcutsDialog = () => <p>快捷键</p>;
  const parts = { palette: () => load({ Palette }), shortcuts: () => load({ ShortcutsDialog }) };
  show(
    <>
      <input aria-label="备注" defaultValue="还没有保存" />
      <PaletteButton load={parts} />
    </>,
    {},
  );
  const press = () => fireEvent.click(screen.getByRole('button', { name: /搜索和命令/ }));
  press();
  await screen.findByText(/没有加载成功/);
  expect(screen.getByLabelText<HTMLInputElement>('备注').value).toBe('还没有保存');
  isAway = false;
  press();
  await screen.findByText('面板');
});

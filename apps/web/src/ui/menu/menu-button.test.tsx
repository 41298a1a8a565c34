import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MenuButton } from './menu-button.tsx';

const chosen = vi.fn<(key: string) => void>();

beforeEach(() => {
  chosen.mockClear();
  const item = (key: string) => ({ key, label: key, onSelect: () => chosen(key) });
  render(
    <MenuButton
      aria-label="更多操作"
      entries={[item('Alpha'), item('Beta'), 'divider', { ...item('Blue'), isDisabled: true }, item('Gamma')]}
    />,
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const button = () => screen.getByRole('button', { name: '更多操作' });
const isOpen = () => screen.queryByRole('menu') !== null;
const focused = () => document.activeElement?.textContent;
function press(...keys: string[]) {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
}
function open() {
  button().focus();
  fireEvent.click(button());
}

test('it opens with the first item focused, and says that it is open', () => {
  expect(button().getAttribute('aria-expanded')).toBeNull();
  open();
  expect(button().getAttribute('aria-expanded')).toBe('true');
  expect(button().getAttribute('aria-controls')).toBe(screen.getByRole('menu', { name: '更多操作' }).id);
  expect(focused()).toBe('Alpha');
});

test.each([
  ['ArrowDown', 'Alpha'],
  ['ArrowUp', 'Gamma'],
])('%s on the button opens it at %s', (key, item) => {
  button().focus();
  press(key);
  expect(focused()).toBe(item);
});

test.each([
  ['arrows', ['ArrowDown', 'ArrowDown', 'ArrowUp'], 'Beta'],
  ['the arrow up from the first item', ['ArrowUp'], 'Gamma'],
  ['the arrow down from the last item', ['End', 'ArrowDown'], 'Alpha'],
  ['End', ['End'], 'Gamma'],
  ['Home', ['End', 'Home'], 'Alpha'],
  ['a letter', ['g'], 'Gamma'],
  ['the same letter again', ['b', 'b'], 'Blue'],
  ['several letters', ['b', 'l'], 'Blue'],
])('the focus is moved by %s', (_how, keys, item) => {
  open();
  press(...keys);
  expect(focused()).toBe(item);
});

test('an item is chosen after the menu has given the focus back to its button', () => {
  chosen.mockImplementationOnce(() => expect(document.activeElement).toBe(button()));
  open();
  fireEvent.click(screen.getByRole('menuitem', { name: 'Beta' }));
  expect(chosen.mock.calls).toEqual([['Beta']]);
  expect(isOpen()).toBe(false);
});

test('a disabled item can be read but not chosen', () => {
  open();
  const item = screen.getByRole('menuitem', { name: 'Blue' });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(item);
  expect(chosen).not.toHaveBeenCalled();
});

test.each([['Escape'], ['Tab']])('%s closes it and returns to the button', (key) => {
  open();
  press(key);
  expect(isOpen()).toBe(false);
  expect(document.activeElement).toBe(button());
});

test('a press elsewhere closes it, scrolling does not', () => {
  open();
  fireEvent(window, new Event('scroll'));
  expect(isOpen()).toBe(true);
  fireEvent(window, new Event('pointerdown'));
  expect(isOpen()).toBe(false);
});

test.each([
  ['below its button', { top: 100, height: 200 }, { left: '170px', top: '140px' }],
  ['above it', { top: 700, height: 500 }, { left: '170px', top: '196px' }],
  ['beside it and whole, with no room above or below', { top: 440, height: 510 }, { left: '130px', top: '222px' }],
])('it lies %s', (_where, { top, height }, expected) => {
  const root = document.documentElement;
  vi.spyOn(root, 'clientWidth', 'get').mockReturnValue(360);
  vi.spyOn(root, 'clientHeight', 'get').mockReturnValue(740);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(150);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(height);
  vi.spyOn(button(), 'getBoundingClientRect').mockReturnValue(new DOMRect(284, top, 36, 36));
  open();
  const { left, top: shownTop } = screen.getByRole('menu').style;
  expect({ left, top: shownTop }).toEqual(expected);
});

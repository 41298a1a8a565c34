import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSearchDraft } from './use-search-draft.ts';

let searched: string[];

beforeEach(() => {
  vi.useFakeTimers();
  searched = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** The address has a search only once it arrives, as with a router after its loaders. */
function Field() {
  const [stored, setStored] = useState('');
  const { typed, setTyped, composition } = useSearchDraft(stored, (text) => void searched.push(text));
  return (
    <>
      <input value={typed} onChange={(event) => setTyped(event.target.value)} {...composition} />
      <button onClick={() => setStored(searched.at(-1) ?? '')}>arrive</button>
      <button onClick={() => setStored('')}>back</button>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('textbox');
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const pause = () =>
  act(() => {
    vi.advanceTimersByTime(200);
  });

test('what is typed is searched after a pause', () => {
  render(<Field />);
  type('n');
  type('na');
  expect(searched).toEqual([]);
  pause();
  expect(searched).toEqual(['na']);
});

test('what is typed before the address has the search stays', () => {
  render(<Field />);
  type('n');
  pause();
  type('na');
  press('arrive');
  expect(field().value).toBe('na');
  pause();
  expect(searched).toEqual(['n', 'na']);
});

test('a search that comes from elsewhere, such as Back, replaces what was typed', () => {
  render(<Field />);
  type('nas');
  pause();
  press('arrive');
  press('back');
  expect(field().value).toBe('');
  pause();
  expect(searched).toEqual(['nas']);
});

test('an unfinished composition of an input method is not searched', () => {
  render(<Field />);
  fireEvent.compositionStart(field());
  type('xiang');
  pause();
  expect(searched).toEqual([]);
  type('相');
  fireEvent.compositionEnd(field());
  pause();
  expect(searched).toEqual(['相']);
});

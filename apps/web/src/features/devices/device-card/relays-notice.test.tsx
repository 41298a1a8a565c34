import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelaysNotice } from './relays-notice.tsx';
import { deviceOf } from '../../../testing/device-fixtures.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const whole = { connected: 2, running: 2 };
const half = { connected: 1, running: 2 };

test('a device that one of two relays lacks for some time is reported', () => {
  const { rerender } = render(<RelaysNotice device={deviceOf({ relays: half })} />);
  pass(15_000);
  expect(screen.queryByRole('alert')).toBeNull();
  pass(10_000);
  expect(screen.getByText('只连上了 2 个中继中的 1 个')).toBeDefined();
  rerender(<RelaysNotice device={deviceOf({ relays: whole })} />);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a relay that restarts is not reported', () => {
  const { rerender } = render(<RelaysNotice device={deviceOf({ relays: half })} />);
  for (const relays of [whole, half, whole, half]) {
    pass(15_000);
    rerender(<RelaysNotice device={deviceOf({ relays })} />);
    expect(screen.queryByRole('alert')).toBeNull();
  }
});

test('of a device that is offline there is nothing more to say', () => {
  render(<RelaysNotice device={deviceOf({ online: false, state: 'offline', relays: { connected: 0, running: 2 } })} />);
  pass(60_000);
  expect(screen.queryByRole('alert')).toBeNull();
});

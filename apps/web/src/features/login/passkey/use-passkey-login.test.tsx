import { startAuthentication } from '@simplewebauthn/browser';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Api, ApiError } from '../../../api/index.ts';
import { usePasskeyLogin } from './use-passkey-login.ts';

// The browser's part of WebAuthn, which happy-dom does not have.
vi.mock('@simplewebauthn/browser', async (original) => ({
  ...(await original<object>()),
  browserSupportsWebAuthnAutofill: async () => true,
  startAuthentication: vi.fn<() => Promise<unknown>>(),
}));

const ask = vi.mocked(startAuthentication);
const answer = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {}, response: {} } as never;
const cancelled = () => Object.assign(new Error('cancelled'), { name: 'NotAllowedError' });
const never = () => new Promise<never>(() => undefined);
const optionsKey = 'POST /custom/login/passkey_options/';
const loginKey = 'POST /custom/login/passkey/';

beforeEach(() => void ask.mockReset());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Login({ call, onReply }: { call: (key: string) => Promise<unknown>; onReply: () => void }) {
  const { isPending, error, logIn } = usePasskeyLogin({ call: call as unknown as Api['call'], onReply });
  return (
    <>
      <button onClick={() => void logIn()}>log in</button>
      <p>{isPending ? 'pending' : 'ready'}</p>
      <p>{error === undefined ? 'no error' : 'error'}</p>
    </>
  );
}

/** A login screen whose server answers with `replies`; lists the calls. */
function open(replies: Record<string, () => unknown> = {}) {
  const calls: string[] = [];
  const onReply = vi.fn<() => void>();
  const call = async (key: string) => {
    calls.push(key);
    return await (replies[key] ?? (() => ({ options: {} })))();
  };
  const { unmount } = render(<Login call={call} onReply={onReply} />);
  return { calls, onReply, unmount };
}

const kinds = () =>
  ask.mock.calls.map(([{ useBrowserAutofill }]) => (useBrowserAutofill === true ? 'field' : 'button'));

test('a passkey that is chosen in the field of the user name logs in', async () => {
  ask.mockResolvedValueOnce(answer);
  const { calls, onReply } = open();
  await waitFor(() => expect(onReply).toHaveBeenCalledTimes(1));
  expect(calls).toEqual([optionsKey, loginKey]);
  expect(kinds()).toEqual(['field']);
  screen.getByText('pending'); // until the page changes
});

test('the button logs in while the field offers passkeys', async () => {
  ask.mockImplementationOnce(never).mockResolvedValueOnce(answer);
  const { onReply } = open();
  await waitFor(() => expect(kinds()).toEqual(['field']));
  fireEvent.click(screen.getByText('log in'));
  await waitFor(() => expect(onReply).toHaveBeenCalledTimes(1));
  expect(kinds()).toEqual(['field', 'button']);
});

test('after the user closes the browser’s dialog the field offers passkeys again, without an error', async () => {
  ask.mockImplementationOnce(never).mockRejectedValueOnce(cancelled()).mockImplementation(never);
  open();
  await waitFor(() => expect(kinds()).toEqual(['field']));
  fireEvent.click(screen.getByText('log in'));
  await waitFor(() => expect(kinds()).toEqual(['field', 'button', 'field']));
  screen.getByText('no error');
  screen.getByText('ready');
});

test('a refusal of the server is shown, and the next try asks for other options', async () => {
  ask.mockImplementationOnce(never).mockResolvedValueOnce(answer).mockImplementation(never);
  const refuse = () => Promise.reject(new ApiError({ type: 'network' }));
  const { calls, onReply } = open({ [loginKey]: refuse });
  await waitFor(() => expect(kinds()).toEqual(['field']));
  fireEvent.click(screen.getByText('log in'));
  await screen.findByText('error');
  await waitFor(() => expect(kinds()).toEqual(['field', 'button', 'field']));
  expect(calls.filter((key) => key === optionsKey)).toHaveLength(3);
  expect(onReply).not.toHaveBeenCalled();
});

test('offers in the field that are answered at once and refused end, and the button still logs in', async () => {
  ask.mockResolvedValue(answer);
  let isRefused = true;
  const { calls, onReply } = open({
    [loginKey]: () => (isRefused ? Promise.reject(new ApiError({ type: 'network' })) : { id: 1, second_factor: null }),
  });
  await waitFor(() => expect(kinds()).toEqual(['field', 'field', 'field']));
  await waitFor(() => expect(calls.filter((key) => key === loginKey)).toHaveLength(3));
  await screen.findByText('ready');
  isRefused = false;
  fireEvent.click(screen.getByText('log in'));
  await waitFor(() => expect(onReply).toHaveBeenCalledTimes(1));
  expect(kinds()).toEqual(['field', 'field', 'field', 'button']);
});

test('the offer in the field is renewed before its challenge expires, and ends with the screen', async () => {
  vi.useFakeTimers();
  ask.mockImplementation(never);
  const { unmount } = open();
  const pass = (minutes: number) => act(async () => void (await vi.advanceTimersByTimeAsync(minutes * 60_000)));
  // The browser's part is loaded when it is needed, which takes real time.
  const isOffered = async (times: number) => await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(times));
  await isOffered(1);
  await pass(4);
  await isOffered(2);
  unmount();
  await pass(20);
  expect(ask).toHaveBeenCalledTimes(2);
});

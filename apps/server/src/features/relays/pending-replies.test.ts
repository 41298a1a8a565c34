import { expect, test } from 'vitest';
import { PendingReplies } from './pending-replies.ts';

function open() {
  const sent: number[] = [];
  const pending = new PendingReplies<string>({ maxPending: 2, busy: 'busy', lost: 'lost' });
  const ask = (timeoutMs = 60_000) =>
    pending.ask({ send: (correlation) => void sent.push(correlation), timeoutMs, late: 'late' });
  return { sent, pending, ask };
}

test('each request gets its own reply, and only the first', async () => {
  const { sent, pending, ask } = open();
  const [one, two] = [ask(), ask()];
  pending.reply(sent[1]!, 'second');
  pending.reply(sent[1]!, 'again');
  pending.reply(99, 'unknown');
  pending.reply(sent[0]!, 'first');
  expect(await Promise.all([one, two])).toEqual(['first', 'second']);
});

test('beyond the limit the answer is busy at once, until another request is answered', async () => {
  const { sent, pending, ask } = open();
  void ask();
  void ask();
  expect(await ask()).toBe('busy');
  pending.reply(sent[0]!, 'first');
  const next = ask();
  pending.reply(sent[2]!, 'third');
  expect(await next).toBe('third');
});

test('without a reply in time it is late, and what arrives then reaches nobody', async () => {
  const { sent, pending, ask } = open();
  const asked = ask(1);
  expect(await asked).toBe('late');
  expect(pending.has(sent[0]!)).toBe(false);
  pending.reply(sent[0]!, 'first');
});

test('the end of the connection ends all requests, and later ones at once', async () => {
  const { sent, pending, ask } = open();
  const asked = [ask(), ask()];
  pending.close();
  expect(await Promise.all([...asked, ask()])).toEqual(['lost', 'lost', 'lost']);
  expect(sent).toHaveLength(2);
});

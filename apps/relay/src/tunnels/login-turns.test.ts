import { expect, test } from 'vitest';
import { LoginTurns } from './login-turns.ts';

test('of many logins that arrive together a few are checked at each turn, in their order', async () => {
  const turns: (() => void)[] = [];
  const checked: number[] = [];
  const logins = new LoginTurns((callback) => turns.push(callback));
  const arrive = (number: number) => void logins.take().then(() => checked.push(number));
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  for (let number = 0; number < 10; number++) arrive(number);
  await settle();
  expect(checked).toEqual([0, 1, 2, 3]);
  turns.shift()?.();
  arrive(10);
  await settle();
  expect(checked).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  while (turns.length > 0) turns.shift()?.();
  await settle();
  arrive(11); // nobody waits any more
  await settle();
  expect(checked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

import { randomInt } from 'node:crypto';

// All random values come from a cryptographic generator: from the pictures an attacker could compute the state of another
// one, and with it the answers.
const STEPS = 2 ** 32;

/** A number from `from` to `to`, without `to`. */
export function between(from: number, to: number): number {
  return from + (randomInt(STEPS) / STEPS) * (to - from);
}

/** A whole number from `from` to `to`, both included. */
export function wholeBetween(from: number, to: number): number {
  return randomInt(from, to + 1);
}

export function happens(chance: number): boolean {
  return between(0, 1) < chance;
}

export function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T; // the index is below the length, and no caller passes an empty list
}

/** `count` different items, in random order. */
export function pickSome<T>(items: readonly T[], count: number): T[] {
  const left = [...items];
  const picked: T[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(randomInt(left.length), 1));
  return picked;
}

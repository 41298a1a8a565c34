import { randomInt } from 'node:crypto';

// Cosmetic or not, everything is drawn from the operating system's generator: the state of a faster one could be read off
// the pictures, and with it the answers.
const STEPS = 2 ** 32;

/** From `from`, up to and without `to`. */
export function between(from: number, to: number): number {
  return from + (randomInt(STEPS) / STEPS) * (to - from);
}

/** Whole numbers, both ends included. */
export function wholeBetween(from: number, to: number): number {
  return randomInt(from, to + 1);
}

export function happens(chance: number): boolean {
  return between(0, 1) < chance;
}

export function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T; // the index is below the length; nobody calls it with nothing
}

/** `count` different ones, in random order. */
export function pickSome<T>(items: readonly T[], count: number): T[] {
  const left = [...items];
  const picked: T[] = [];
  while (picked.length < count && left.length > 0) picked.push(...left.splice(randomInt(left.length), 1));
  return picked;
}

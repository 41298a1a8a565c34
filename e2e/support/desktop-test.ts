import { test } from 'vitest';
import type { ScreenSize } from './screen-sizes.ts';

type DeclareTest = (name: string, run: () => Promise<void>) => void;

/** Declares the tests of a size whose flow does not depend on it: on a phone they would show the same again. */
export function desktopTest(size: ScreenSize): DeclareTest {
  return size === 'desktop' ? test : () => {};
}

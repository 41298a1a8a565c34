import { test } from 'vitest';
import type { ScreenSize } from '../screens/screen-sizes.ts';

type DeclareTest = (name: string, run: () => Promise<void>) => void;

/** Declares a test whose flow does not depend on the screen size, so that it runs on the desktop only. */
export function desktopTest(size: ScreenSize): DeclareTest {
  return size === 'desktop' ? test : () => {};
}

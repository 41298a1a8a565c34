import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { saveArtefact } from '../artefacts.ts';
import { seriousBarriers } from './accessibility.ts';
import {
  browserSpeaksOf,
  drawsChinese,
  horizontalOverflow,
  isFocusInDialog,
  unnamedControls,
  untranslatedText,
} from './page-quality.ts';

/** Saves a screenshot of every screen in e2e/output, light and dark. Failed screens are always saved. */
export const savesScreenshots = process.env['SCREENSHOTS'] !== undefined;

/** All checks of a screen that has just been opened. */
export async function expectGoodScreen(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(() => isFocusInDialog(page)).toBe(true);
  expect(await untranslatedText(page)).toEqual([]);
  expect(await drawsChinese(page)).toBe(true);
  expect(await unnamedControls(page)).toEqual([]);
  expect(await browserSpeaksOf(page)).toEqual([]);
  expect(await horizontalOverflow(page)).toEqual([]);
  await expectNoBarriers(page, 'everything');
}

/** The checks that depend on theme and size, after one of them has changed. */
export async function expectGoodLook(page: Page): Promise<void> {
  await isDrawn(page);
  await expect.poll(() => horizontalOverflow(page)).toEqual([]);
  expect(await untranslatedText(page)).toEqual([]);
  await expectNoBarriers(page, 'look');
}

export async function saveScreenshot(file: string, page: Page): Promise<void> {
  if (savesScreenshots) await saveArtefact(file, await page.screenshot({ animations: 'disabled' }));
}

/** Elements that fade in or out have less contrast, so the check is repeated until they are drawn. */
export async function expectNoBarriers(page: Page, rules: 'everything' | 'look'): Promise<void> {
  await expect.poll(() => seriousBarriers(page, rules)).toEqual([]);
}

/** A new theme is drawn after two frames. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}

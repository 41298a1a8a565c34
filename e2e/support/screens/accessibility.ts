import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ruleSets = {
  /** WCAG 2.2 A and AA, and best practices. */
  everything: {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    // Off by default although it is WCAG A: the accessible name contains the visible label.
    rules: { 'label-content-name-mismatch': { enabled: true } },
  },
  /** The rules that another theme or screen size can affect when the same parts are shown. */
  look: { runOnly: { type: 'rule', values: ['color-contrast', 'target-size'] } },
} satisfies Record<string, RunOptions>;

/** Rules about landmarks, which axe calls moderate. */
const landmarkRules = /^(region|landmark-.*)$/;

/**
 * Accessibility problems of the page: axe's serious and critical findings, and everything about landmarks. Of a page with
 * an open modal dialog only the dialog is checked: what it covers is the screen that it was opened from.
 */
export async function seriousBarriers(page: Page, rules: keyof typeof ruleSets = 'everything'): Promise<string[]> {
  // Without fetching style sheets and media again, which none of these rules needs.
  const options: RunOptions = { ...ruleSets[rules], resultTypes: ['violations'], preload: false };
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (context: Document | Element, options: RunOptions) => Promise<AxeResults> };
    };
    const dialogs = [...document.querySelectorAll('[role=dialog][aria-modal=true]')];
    const found = await axe.run(dialogs.findLast((dialog) => dialog.checkVisibility()) ?? document, given);
    // A loading button counts as disabled, and disabled ones may have low contrast.
    const isWorking = (selector: unknown) => document.querySelector(String(selector))?.closest('.ant-btn-loading');
    return found.violations.map(({ id, help, impact, nodes }) => ({
      id,
      help,
      impact,
      nodes: nodes.filter(({ target }) => id !== 'color-contrast' || !isWorking(target[0])),
    }));
  }, options);
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || landmarkRules.test(id))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => describe({ id, help, html, failureSummary })),
    );
}

function describe(finding: { id: string; help: string; html: string; failureSummary: string | undefined }): string {
  const { id, help, html, failureSummary = '' } = finding;
  return `${id}: ${help}: ${html.slice(0, 160)} (${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 240)})`;
}

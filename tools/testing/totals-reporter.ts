import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node';
import type { Totals } from './totals.ts';

const MAX_FRAMES = 3;

/**
 * Writes the totals of a vitest run to `--outputFile.totals`. Vitest's JSON report lacks unhandled errors, errors of
 * hooks, and expected and received values.
 */
// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter's default export
export default class TotalsReporter implements Reporter {
  #file: string | undefined;

  onInit({ config }: Vitest): void {
    if (typeof config.outputFile === 'object') this.#file = config.outputFile['totals'];
  }

  async onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Promise<void> {
    if (this.#file === undefined) throw new Error('--outputFile.totals is missing');
    await writeFile(this.#file, JSON.stringify(totalsOf(modules, unhandled)));
  }
}

function totalsOf(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Totals {
  const tests = modules.flatMap((file) => [...file.children.allTests()]);
  const states = tests.map((test) => test.result().state);
  return {
    passed: states.filter((state) => state === 'passed').length,
    skipped: states.filter((state) => state === 'skipped').length,
    failures: [...modules.flatMap(failuresOf), ...unhandled.map(unhandledText)],
    secondTries: tests.filter((test) => test.diagnostic()?.flaky).map(testText),
  };
}

/** The tests that failed, and what failed around them: loading the file, and what runs before or after its tests. */
function failuresOf(file: TestModule): string[] {
  const name = fileName(file.moduleId);
  const failed = [...file.children.allTests('failed')];
  return [
    ...file.errors().map((error) => `${name}\n${errorText(error)}`),
    ...[...file.children.allSuites()].flatMap((group) =>
      group.errors().map((error) => `${name} › ${group.fullName}\n${errorText(error)}`),
    ),
    ...failed.map(testText),
  ];
}

function testText(test: TestCase): string {
  const errors = (test.result().errors ?? []).map(errorText);
  return `${fileName(test.module.moduleId)} › ${test.fullName}\n${errors.join('\n')}`;
}

/** It may come from a test that has ended: vitest knows the file, and which test was running by then. */
function unhandledText(error: SerializedError): string {
  const { type = 'Unhandled error', VITEST_TEST_PATH: file, VITEST_TEST_NAME: test } = error;
  const during = typeof test === 'string' ? ` while this ran: ${test}` : '';
  return `${typeof file === 'string' ? fileName(file) : 'no file'} › ${String(type)}${during}\n${errorText(error)}${librariesText(error)}`;
}

/** Where an error that nobody caught was thrown, if that is in a library: its own timer may have called it. */
function librariesText({ stack = '' }: SerializedError): string {
  const frames = stack.split('\n').filter(isFrame);
  return frames.some(isOwnFrame) ? '' : `\n${frames.slice(0, MAX_FRAMES).join('\n')}`;
}

function fileName(file: string): string {
  return path.relative(process.cwd(), file);
}

function errorText({ name = 'Error', message, stack = '', diff, cause }: SerializedError): string {
  const frames = stack.split('\n').filter(isOwnFrame).slice(0, MAX_FRAMES);
  const difference = typeof diff === 'string' ? [diff] : [];
  const reason = cause ? [`Caused by: ${errorText(cause)}`] : [];
  // Where the default reporter has shown a cause, its name says so already.
  return [`${name.replace('Caused by: ', '')}: ${message}`, ...frames, ...difference, ...reason].join('\n');
}

function isFrame(line: string): boolean {
  return /^\s+at .*:\d+:\d+\)?$/.test(line);
}

function isOwnFrame(line: string): boolean {
  return isFrame(line) && !/node_modules|node:/.test(line);
}

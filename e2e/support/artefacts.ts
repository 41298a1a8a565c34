import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFailed } from 'vitest';
import type { ChildGroup } from './product/child-group.ts';
import { repository } from './product/product.ts';

/** For screenshots and, after a failure, logs and pages; ignored by git. */
const outputFolder = path.join(repository, 'e2e/output');

export async function saveArtefact(name: string, content: string | Buffer): Promise<void> {
  await mkdir(outputFolder, { recursive: true });
  await writeFile(path.join(outputFolder, name), content);
}

/** When the running test fails, saves and prints the output of this process. */
export function saveLogOnFailure(name: string, child: ChildGroup): void {
  onTestFailed(async () => {
    await saveArtefact(`${name}.log`, child.output);
    console.log(`── ${name}\n${child.output.slice(-4000)}`);
  });
}

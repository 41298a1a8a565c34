import type { TreeResult } from '@tongtu/contract';
import { errorCode, errorText } from '../../../../api/index.ts';
import type { FilesClient } from '../files-client.ts';
import { childPath, nameOf, parentPath } from '../folder-path.ts';

export type TransferKind = 'move' | 'copy';
export type TransferOutcome = TreeResult & {
  /** Those for which the folder has an entry of the same name already. Nothing was done with them. */
  existing: string[];
};

type TransferInput = {
  kind: TransferKind;
  paths: readonly string[];
  folder: string;
  /** The names that the folder has, for copies beside their originals. */
  taken: ReadonlySet<string>;
  overwrite: boolean;
};

/** Moves or copies into a folder, one after the other. It goes on after what fails. */
export async function transfer(client: FilesClient, input: TransferInput): Promise<TransferOutcome> {
  const { kind, paths, folder, taken, overwrite } = input;
  const outcome: TransferOutcome = { done: 0, failed_count: 0, failed: [], existing: [] };
  for (const from of paths) {
    const isBeside = kind === 'copy' && childPath(folder, nameOf(from)) === from;
    const to = isBeside ? copyPath(client, from, taken) : childPath(folder, nameOf(from));
    try {
      const result = await client[kind]({ from, to, overwrite });
      outcome.done += result.done;
      outcome.failed_count += result.failed_count;
      outcome.failed.push(...result.failed);
    } catch (error) {
      if (errorCode(error) === 'files.exists' && !overwrite) {
        outcome.existing.push(from);
        continue;
      }
      // Without the connection the others would fail as well.
      if (errorCode(error)?.startsWith('files.') !== true) throw error;
      outcome.failed_count++;
      outcome.failed.push({ path: from, code: errorCode(error) ?? '', detail: errorText(error) });
    }
  }
  return outcome;
}

/** In a folder with names in GBK the copy has one, too. */
function copyPath({ names }: FilesClient, from: string, taken: ReadonlySet<string>): string {
  const folder = parentPath(from);
  const takenTexts = new Set([...taken].map((name) => names.textOf(childPath(folder, name))));
  const name = copyName(names.textOf(from), takenTexts);
  return names.newPath(folder, name) ?? childPath(folder, name);
}

/** `photo 副本.jpg`, with a number if there is one already. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 1; ; number++) {
    const tried = `${stem} 副本${number === 1 ? '' : ` ${number}`}${ending}`;
    if (!taken.has(tried)) return tried;
  }
}

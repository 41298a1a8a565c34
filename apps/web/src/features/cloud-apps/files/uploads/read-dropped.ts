/** Local files, with where they lie below what was chosen: names with `/` between them. */
export type ChosenFiles = { folders: string[]; files: { path: string; file: File }[] };

/** Of files, or of a folder with all of its content. */
export function readChosen(files: Iterable<File>): ChosenFiles {
  const chosen = [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  const folders = new Set<string>();
  for (const { path } of chosen) {
    const names = path.split('/').slice(0, -1);
    names.forEach((_name, index) => folders.add(names.slice(0, index + 1).join('/')));
  }
  return { folders: [...folders].sort(byDepth), files: chosen };
}

/** Of what was dropped, also empty folders. Must be called in the event itself: later the browser hides the items. */
export async function readDropped(transfer: DataTransfer): Promise<ChosenFiles> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const chosen: ChosenFiles = { folders: [], files: [] };
  for (const entry of entries) await readEntry(entry, '', chosen);
  return chosen;
}

async function readEntry(entry: FileSystemEntry, above: string, chosen: ChosenFiles): Promise<void> {
  const path = `${above}${entry.name}`;
  if (isFileEntry(entry)) {
    chosen.files.push({ path, file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)) });
    return;
  }
  if (!isFolderEntry(entry)) return;
  chosen.folders.push(path);
  const reader = entry.createReader();
  for (;;) {
    // Each call gives some of them, the last one none.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inside of some) await readEntry(inside, `${path}/`, chosen);
  }
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolderEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** Folders before what lies in them. */
function byDepth(left: string, right: string): number {
  return left.split('/').length - right.split('/').length;
}

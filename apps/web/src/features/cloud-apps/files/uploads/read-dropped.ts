/** Local files, with where they lie below what was chosen: names with `/` between them. */
export type ChosenFiles = {
  files: { path: string; file: File; size: number }[];
  emptyFolders: string[];
  /** What the browser does not hand out. */
  unreadable: string[];
};

type OnFound = (count: number) => void;

/** A page that works longer than this at a time does not answer its user. */
const WORK_AT_A_TIME_MS = 12;

/**
 * Of files, or of a folder with all of its content. `onFound` gets the number of files so far: a browser asks the disk
 * for the size of each, which takes seconds for many thousands.
 */
export async function readChosen(files: Iterable<File>, onFound: OnFound = () => {}): Promise<ChosenFiles> {
  const chosen: ChosenFiles = { files: [], emptyFolders: [], unreadable: [] };
  let startedAtMs = performance.now();
  for (const file of files) {
    chosen.files.push({ path: chosenPath(file), file, size: file.size });
    if (performance.now() - startedAtMs < WORK_AT_A_TIME_MS) continue;
    onFound(chosen.files.length);
    await new Promise((resolve) => setTimeout(resolve));
    startedAtMs = performance.now();
  }
  return chosen;
}

/** Chromium writes `/` for each `\\` in the path of a chosen folder. The file's own name still has them. */
function chosenPath({ name, webkitRelativePath: path }: File): string {
  const isRewritten = name.includes('\\') && path.endsWith(`/${name.replaceAll('\\', '/')}`);
  return isRewritten ? path.slice(0, -name.length) + name : path || name;
}

/**
 * Of what was dropped, also empty folders. Must be called in the event itself: later the browser hides the items.
 * `onFound` gets the number of files so far.
 */
export async function readDropped(transfer: DataTransfer, onFound: OnFound = () => {}): Promise<ChosenFiles> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const chosen: ChosenFiles = { files: [], emptyFolders: [], unreadable: [] };
  await readEntries(entries, '', chosen, onFound);
  return chosen;
}

/** The files of a folder together, since each is a question to the browser; the folders in it one after another. */
async function readEntries(
  entries: readonly FileSystemEntry[],
  above: string,
  chosen: ChosenFiles,
  onFound: OnFound,
): Promise<void> {
  const files = await Promise.all(entries.filter(isFileEntry).map(async (entry) => await readFile(entry, above)));
  for (const { path, file } of files) {
    if (file) chosen.files.push({ path, file, size: file.size });
    else chosen.unreadable.push(path);
  }
  onFound(chosen.files.length);
  for (const folder of entries.filter(isFolderEntry))
    await readFolder(folder, `${above}${folder.name}`, chosen, onFound);
}

async function readFile(entry: FileSystemFileEntry, above: string): Promise<{ path: string; file: File | undefined }> {
  const path = `${above}${entry.name}`;
  const file = await new Promise<File | undefined>((resolve) => entry.file(resolve, () => resolve(undefined)));
  return { path, file };
}

async function readFolder(
  folder: FileSystemDirectoryEntry,
  path: string,
  chosen: ChosenFiles,
  onFound: OnFound,
): Promise<void> {
  const reader = folder.createReader();
  for (let isFirst = true; ; isFirst = false) {
    // Each call gives some of them, the last one none.
    const some = await new Promise<FileSystemEntry[] | undefined>((resolve) =>
      reader.readEntries(resolve, () => resolve(undefined)),
    );
    if (some === undefined) return void chosen.unreadable.push(path);
    if (some.length === 0) {
      if (isFirst) chosen.emptyFolders.push(path);
      return;
    }
    await readEntries(some, `${path}/`, chosen, onFound);
  }
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolderEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

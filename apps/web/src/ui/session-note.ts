/** Reads a text that this tab stores across reloads; empty when there is none. */
export function readNote(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return ''; // storage may be forbidden; then nothing survives a reload
  }
}

export function writeNote(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    return; // see readNote
  }
}

/** Removes every note whose key has this prefix. */
export function dropNotes(prefix: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    }
  } catch {
    return; // see readNote
  }
}

export function dropNote(key: string): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    return; // see readNote
  }
}

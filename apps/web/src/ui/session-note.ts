/** A word that this tab remembers across a reload; empty when there is none. */
export function readNote(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return ''; // storage may be forbidden; then nothing outlives the page
  }
}

export function writeNote(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    return; // see readNote
  }
}

/** Drops every note whose key starts so. */
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

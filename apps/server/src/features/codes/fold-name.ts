/** A user name or mail address in the one spelling that it is counted and compared by. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

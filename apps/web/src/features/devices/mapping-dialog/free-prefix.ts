/** A prefix that the user's other mappings do not have: the wanted one, or that with a number. */
export function freePrefix(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const candidate = `${wanted}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

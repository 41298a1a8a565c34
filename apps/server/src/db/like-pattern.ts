/** The pattern with which `like` and `ilike` find this text anywhere. */
export function patternContaining(text: string): string {
  return `%${escaped(text)}%`;
}

/** The pattern with which `like` and `ilike` find this text at the start. */
export function patternStartingWith(text: string): string {
  return `${escaped(text)}%`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

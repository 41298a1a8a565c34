/**
 * The text of the object that is the value of a top-level member, exactly as it stands in the JSON. Alipay signs these
 * characters, so the object cannot be written again. Undefined when there is no such member.
 */
export function objectText(json: string, member: string): string | undefined {
  const start = json.indexOf(`"${member}"`);
  if (start < 0) return undefined;
  const open = json.slice(start + member.length + 2).match(/^\s*:\s*(?=\{)/);
  if (!open) return undefined;
  const from = start + member.length + 2 + open[0].length;
  const end = endOfObject(json, from);
  return end === undefined ? undefined : json.slice(from, end);
}

function endOfObject(json: string, from: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = from; at < json.length; at++) {
    const character = json[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
      continue;
    }
    if (character === '"') isInString = true;
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

import { MAX_PATHS } from '@tongtu/contract/file-names';

/** Longer addresses are refused on the way to the gateway. */
const maxQueryLength = 6_000;

/** Splits paths into groups that each fit into the query of a call. */
export function groupsForQuery(paths: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = Infinity;
  for (const path of paths) {
    const added = encodeURIComponent(JSON.stringify(path)).length + encodeURIComponent(',').length;
    const group = groups.at(-1);
    if (group && length + added <= maxQueryLength && group.length < MAX_PATHS) {
      group.push(path);
      length += added;
    } else {
      groups.push([path]);
      length = added;
    }
  }
  return groups;
}

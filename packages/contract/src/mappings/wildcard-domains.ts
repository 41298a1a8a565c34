/** Of mappings that a frpc.toml manages. `*.example.com` covers the names below example.com, at any depth. */

export function isWildcard(domain: string): boolean {
  return domain.startsWith('*.');
}

/** `example.com` of `*.example.com`. */
export function wildcardParent(wildcard: string): string {
  return wildcard.slice('*.'.length);
}

/** The domains below which a name is, the longest first. A visitor may name one of more than a hundred labels. */
function* parentsOf(name: string): Generator<string> {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) yield name.slice(dot + 1);
}

/** The domains on which it depends what covers a name. */
export function domainsAround(name: string): string[] {
  return [name, ...[...parentsOf(name)].flatMap((parent) => [`*.${parent}`, parent])];
}

export type DomainEntries<Entry> = {
  find: (domain: string) => Entry | undefined;
  /** By the domain whose names the wildcard covers. */
  findWildcard: (parent: string) => Entry | undefined;
  isSameOwner: (a: Entry, b: Entry) => boolean;
};

/**
 * What a name leads to: its own entry, else that of the longest wildcard. Names below a domain of another owner are not
 * covered by a wildcard above it.
 */
export function findCovering<Entry>(
  name: string,
  { find, findWildcard, isSameOwner }: DomainEntries<Entry>,
): Entry | undefined {
  const own = find(name);
  if (own !== undefined) return own;
  for (const parent of parentsOf(name)) {
    const wildcard = findWildcard(parent);
    if (wildcard === undefined) continue;
    for (const between of parentsOf(name)) {
      if (between === parent) return wildcard;
      const other = find(between);
      if (other !== undefined && !isSameOwner(other, wildcard)) return undefined;
    }
  }
  return undefined;
}

/** Of mappings that a frpc.toml manages. `*.example.com` covers the names below example.com, at any depth. */

export function isWildcard(domain: string): boolean {
  return domain.startsWith('*.');
}

/** `example.com` of `*.example.com`. */
export function wildcardParent(wildcard: string): string {
  return wildcard.slice('*.'.length);
}

/** The domains below which a name is, the longest first. */
function parentsOf(name: string): string[] {
  const labels = name.split('.');
  return labels.slice(1).map((_label, at) => labels.slice(at + 1).join('.'));
}

/** The domains on which it depends what covers a name. */
export function domainsAround(name: string): string[] {
  return [name, ...parentsOf(name).flatMap((parent) => [`*.${parent}`, parent])];
}

/**
 * What a name leads to: its own entry, else that of the longest wildcard. Names below a domain of another owner are not
 * covered by a wildcard above it.
 */
export function findCovering<Entry>(
  name: string,
  find: (domain: string) => Entry | undefined,
  isSameOwner: (a: Entry, b: Entry) => boolean,
): Entry | undefined {
  const own = find(name);
  if (own !== undefined) return own;
  const between: Entry[] = [];
  for (const parent of parentsOf(name)) {
    const wildcard = find(`*.${parent}`);
    if (wildcard !== undefined) return between.every((other) => isSameOwner(other, wildcard)) ? wildcard : undefined;
    const domain = find(parent);
    if (domain !== undefined) between.push(domain);
  }
  return undefined;
}

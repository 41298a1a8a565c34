/** Paths that neither a mapping nor the console may answer, in any spelling. */
export type ReservedPath = 'tongtu' | 'internal';

/** The path is compared as a lenient service would read it: decoded, without doubled slashes and dot segments. */
export function reservedPath(target: string): ReservedPath | undefined {
  const second = target.charCodeAt(1) | 0x20;
  // `.`, `/` (also after | 0x20), `%`, `i` and a backslash: any other first letter is neither.
  if (second !== 0x2e && second !== 0x2f && second !== 0x25 && second !== 0x69 && second !== 0x7c) return undefined;
  const path = plainPath(target);
  if (path === '/.tongtu' || path.startsWith('/.tongtu/')) return 'tongtu';
  return path === '/internal' || path.startsWith('/internal/') ? 'internal' : undefined;
}

function plainPath(target: string): string {
  const path = target.split('?', 1)[0] ?? '';
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const segments: string[] = [];
  for (const segment of decoded.toLowerCase().replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}${decoded.endsWith('/') ? '/' : ''}`;
}

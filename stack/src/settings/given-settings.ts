/** People choose these: quotes may belong to them, and so may blanks to a password. */
const FREE = new Set(['ADMIN_PASSWORD', 'SSO_SECRET']);

/**
 * The variables that are set. One that is set to nothing, as compose files do, counts as not set. Env files leave blanks
 * at the ends, and those of Windows a carriage return.
 */
export function readGiven(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value = '']): [string, string][] => {
      const tidied = name === 'ADMIN_PASSWORD' ? value.replace(/[\r\n]+$/, '') : value.trim();
      return tidied === '' ? [] : [[name, tidied]];
    }),
  );
}

/** Settings between quotes, which `docker --env-file` does not remove as a shell does. */
export function findQuoted(given: Record<string, string>, settings: readonly string[]): string[] {
  return settings.filter((name) => !FREE.has(name) && /^(["'])[^]*\1$/.test(given[name] ?? ''));
}

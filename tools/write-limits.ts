// Writes docs/limits.md from the contract's table of limits; `--check` fails when the file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { callLimits, type CallLimit, type NoLimit, STRANGERS_PER_MINUTE } from '../packages/contract/src/index.ts';

const file = path.resolve(import.meta.dirname, '../docs/limits.md');
const text = render();
if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/limits.md is stale: run `node tools/write-limits.ts`');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}

function render(): string {
  const all = Object.entries<CallLimit | NoLimit>(callLimits);
  const limited = all.flatMap(([key, rule]) =>
    'per' in rule ? [`| \`${key}\` | ${rule.maxPerMinute} | ${rule.per} |`] : [],
  );
  const unlimited = all.flatMap(([key, rule]) => ('per' in rule ? [] : [`| \`${key}\` | ${rule.unlimited} |`]));
  return `# Limits of calls

Generated from \`packages/contract/src/call-limits.ts\` by \`tools/write-limits.ts\`. Beyond a limit a call is answered with 429,
\`request.too-many\` and \`Retry-After\`. Accounts are counted whatever network or API token they come by, networks by IPv4 address or IPv6 /64; a
minute begins with its first call, HEAD counts as GET, and all server processes count together. Callers without a login, or with one that is none, are counted for their
network at all of these calls that need one: ${STRANGERS_PER_MINUTE} a minute.

| Call | A minute | For one |
| --- | --- | --- |
${limited.join('\n')}

Without a limit, though they change something:

| Call | Why |
| --- | --- |
${unlimited.join('\n')}
`;
}

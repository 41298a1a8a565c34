// Writes docs/limits.md from the contract's table of limits; `--check` fails when the file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { callLimits, type CallLimit, type NoLimit, ANONYMOUS_PER_MINUTE } from '../packages/contract/src/index.ts';

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

For developers of clients, and for operators. It lists how often each call of the API is answered. Generated from
\`packages/contract/src/call-limits.ts\` by \`tools/write-limits.ts\`; other limits are in
[operations/abuse.md](operations/abuse.md).

- Above a limit a call is answered with 429, \`request.too-many\` and \`Retry-After\`.
- An account is counted whatever network or API token it uses, a network by its IPv4 address or IPv6 /64.
- A minute begins with its first call. HEAD counts as GET. All server processes count together.
- Calls of this table that need a login, made without a valid one, count for the network, all of them together:
  ${ANONYMOUS_PER_MINUTE} a minute.

| Call | A minute | For one |
| --- | --- | --- |
${limited.join('\n')}

These calls change something and have no limit:

| Call | Why |
| --- | --- |
${unlimited.join('\n')}
`;
}

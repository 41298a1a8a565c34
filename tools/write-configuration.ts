// Writes docs/configuration.md from the schema that reads the environment; `--check` fails when the file is stale.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Environment } from '../stack/src/config.ts';

const file = path.resolve(import.meta.dirname, '../docs/configuration.md');
const text = render();
if (process.argv.includes('--check')) {
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current !== text) {
    console.error('docs/configuration.md is stale: run `node tools/write-configuration.ts`');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}

function render(): string {
  const rows = Object.entries(Environment.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && String(fallback.data ?? '') !== '' ? `\`${String(fallback.data)}\`` : '—';
    return `| \`${name}\` | ${value} | ${schema.description ?? ''} |`;
  });
  return `# 配置 / Configuration

For operators. It lists every environment variable. Each has a default, which also applies to an empty value. Blanks at
the ends of a value do not count; quotes do, so an env file for \`docker --env-file\` has none. A wrong value stops the
start with a message that names it; a misspelt name is reported and has no effect. Generated from
\`stack/src/config.ts\` by \`tools/write-configuration.ts\`.

| 环境变量 | 默认值 | 含义 |
| --- | --- | --- |
${rows.join('\n')}

| Option | What it does |
| --- | --- |
| \`npm start -- --no-local-agent\` | starts without the agent of this machine |
| \`npm start -- --reset-admin-password\` | prints a new password for the first account and ends its sessions |
| \`npm start -- --make-superuser NAME\` | makes the account of that user name a superuser and ends; starts nothing |

## 客户端 / Agent

\`TONGTU_TOKEN=<token> npm run agent -- --server <url> --state <folder>\` runs an agent; \`--help\` lists every option and
exit code. Later starts need no token. \`--token <token>\` works as well, but npm prints its arguments and keeps them in
\`~/.npm/_logs\`, and every user of the machine sees them in \`ps\`.
`;
}

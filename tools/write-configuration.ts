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

Generated from \`stack/src/config.ts\` by \`tools/write-configuration.ts\`. Everything has a default. A wrong
value stops the start with its name. A name that looks like one of these and is none is ignored; the start warns of it.

| 环境变量 | 默认值 | 含义 |
| --- | --- | --- |
${rows.join('\n')}

\`npm start -- --no-local-agent\` starts without the agent of the machine itself; \`--reset-admin-password\` prints a new password for the
first account and ends its sessions. \`--make-superuser NAME\` starts nothing: it makes the account of that user name a superuser and ends.

## 客户端 / Agent

\`TONGTU_TOKEN=<token> npm run agent -- --server <url> --state <folder>\`; \`--help\` lists every option and exit code. \`--token <token>\`
does the same, but npm prints its arguments, keeps them in \`~/.npm/_logs\`, and every user of the machine sees them in \`ps\`. Later starts need
no token.
`;
}

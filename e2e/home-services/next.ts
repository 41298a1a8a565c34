import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type HomeService, startService } from './service.ts';

/** Where `npm install next@14 react@18 react-dom@18` was run. Its 240 MB and a build of 15 s are too much for each run. */
const folder = process.env['NEXT_FOLDER'] ?? '';
const program = path.join(folder, 'node_modules/next/dist/bin/next');

const layout = `export default function Layout({ children }) { return <html><body>{children}</body></html>; }`;
const page = `async function save(form) { 'use server'; return 'saved ' + form.get('name'); }
export default function Page() { return <form action={save}><input name="name" /><button>Save</button></form>; }`;

/** A form with a server action, whose Origin must be of X-Forwarded-Host, or of the Host where there is none. */
export const next: HomeService = {
  name: 'Next.js',
  missing: existsSync(program) ? undefined : 'NEXT_FOLDER=… names a folder with next@14, react@18 and react-dom@18',
  async start() {
    if (!existsSync(path.join(folder, '.next/BUILD_ID'))) await build();
    const prepare = ({ port }: { port: number }) => [program, 'start', folder, '-H', '127.0.0.1', '-p', String(port)];
    return await startService({ program: process.execPath, prepare });
  },
  async use(visitor) {
    const { text } = await visitor.get(200, 'GET', '/');
    const action = /\$ACTION_ID_([0-9a-f]+)/.exec(text)?.[1] ?? '';
    const body = new FormData();
    body.set('1_name', 'form');
    body.set('0', '["$K1"]');
    const encoded = new Response(body);
    const answer = await visitor.get(200, 'POST', '/', {
      headers: { 'next-action': action, 'content-type': encoded.headers.get('content-type') ?? '' },
      body: Buffer.from(await encoded.arrayBuffer()),
    });
    if (!answer.text.includes('saved form')) throw new Error(`the action says ${answer.text}`);
  },
};

async function build(): Promise<void> {
  await mkdir(path.join(folder, 'app'), { recursive: true });
  await writeFile(path.join(folder, 'app/layout.js'), layout);
  await writeFile(path.join(folder, 'app/page.js'), page);
  await promisify(execFile)(process.execPath, [program, 'build', folder], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/**
 * Measures cloud apps: files through console, gateway and tunnel against the native clients; many small files in the page
 * against a program; the gateway's memory for idle sessions; and how long an innocent terminal waits while another account
 * opens hostile targets. Native client and console take turns through the same tunnel; only the ratios are meaningful.
 *
 * `node bench/cloud-apps.ts [--quick] [--only=files,small-files,memory,hostile] [--kinds=sftp,smb,webdav]` prints a table
 * and, as its last line, JSON. As root, on Debian with openssh-server, openssh-client, samba, smbclient, apache2, curl,
 * tigervnc-standalone-server, xrdp, chromium.
 */
import { parseArgs } from 'node:util';
import { measureFiles } from './apps/files.ts';
import { measureGatewayMemory } from './apps/gateway-memory.ts';
import { measureHostileTargets } from './apps/hostile-targets.ts';
import { measureSmallFiles } from './apps/small-files.ts';
import { versionOf } from './support/children.ts';
import { type AppsBench, type AppsEffort, openAppsBench } from './support/open-apps-bench.ts';
import { type Line, printReport } from './support/report.ts';

const lines: Record<string, (bench: AppsBench) => Promise<Line[]>> = {
  memory: measureGatewayMemory, // first: transfers leave a larger heap
  files: measureFiles,
  'small-files': measureSmallFiles,
  hostile: measureHostileTargets, // last: it may end the gateway
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    kinds: { type: 'string', default: 'sftp,smb,webdav' },
  },
});
const kinds = options.kinds.split(',');
const effort: AppsEffort = options.quick
  ? { rounds: 2, megabytes: 128, sshSessions: 50, smallFiles: 1_000, kinds }
  : { rounds: 5, megabytes: 256, sshSessions: 50, smallFiles: 5_000, kinds };
const wanted = options.only === '' ? Object.keys(lines) : options.only.split(',');

const remedy = 'apt-get install openssh-client smbclient curl';
const versions = {
  node: process.version,
  ...(wanted.includes('files') && {
    ssh: versionOf('ssh', '-V', remedy),
    smbclient: versionOf('smbclient', '--version', remedy),
    curl: versionOf('curl', '--version', remedy),
  }),
};
await using bench = await openAppsBench(effort);
const report: Line[] = [];
for (const name of wanted) {
  const measure = lines[name];
  if (measure === undefined) throw new Error(`no line ${name}; there are ${Object.keys(lines).join(', ')}`);
  console.error(`measuring ${name} …`);
  report.push(...(await measure(bench)));
}
printReport(report, versions);

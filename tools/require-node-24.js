import module from 'node:module';
import path from 'node:path';

// Loaded before any TypeScript: an older Node.js would only say "unknown file extension".
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `通途需要 Node.js 24 或更新版本，当前是 ${process.version}。\n` +
      'Linux 上请执行 npm ci（会自带 Node.js 24），然后用 npm start 启动；其他系统请先安装 Node.js 24。',
  );
  process.exit(1);
}

// Types are stripped and code is compiled once: later starts and the processes of the relays load in half the time.
// Where the folder cannot be written, nothing is kept and nothing is lost.
module.enableCompileCache(path.resolve(import.meta.dirname, '../node_modules/.cache/node'));

// Loaded before any TypeScript: an older Node.js would only say "unknown file extension".
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `通途需要 Node.js 24 或更新版本，当前是 ${process.version}。\n` +
      'Linux 上请执行 npm ci（会自带 Node.js 24），然后用 npm start 启动；其他系统请先安装 Node.js 24。',
  );
  process.exit(1);
}

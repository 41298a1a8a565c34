/** All that the gateway asks of aria2. What changes or shows more of its settings is not among them. */
export type Method =
  | ('getGlobalOption' | 'changeGlobalOption' | 'getGlobalStat' | 'tellActive' | 'tellWaiting' | 'tellStopped')
  | ('tellStatus' | 'getFiles' | 'getPeers' | 'getServers' | 'getOption' | 'changeOption')
  | ('addUri' | 'addTorrent' | 'forcePause' | 'unpause' | 'forceRemove' | 'removeDownloadResult')
  | ('forcePauseAll' | 'unpauseAll' | 'purgeDownloadResult');

/** Of one call, or of several in one request (`system.multicall`). */
export type AskedMethods = { method: Method } | { methods: readonly Method[] };

/** Texts of the page that starts the console. */
export const startText = {
  notLoaded: '页面打不开',
  notLoadedHint: '页面的文件没有加载成功。请检查网络后刷新页面；如果通途刚刚更新过，刷新后就会恢复。',
  serverAway: '连不上服务器',
  serverAwayHint: '这个页面暂时打不开。服务器恢复后会自动打开，不用刷新。',
  reload: '刷新页面',
};

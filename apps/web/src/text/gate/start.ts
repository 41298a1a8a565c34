/** Texts of the page that starts the console. */
export const startText = {
  notLoaded: '页面打不开',
  notLoadedHint: '控制台的文件没有加载成功。请检查网络后刷新页面；如果控制台刚刚更新过，刷新后就会恢复。',
  reload: '刷新页面',
};

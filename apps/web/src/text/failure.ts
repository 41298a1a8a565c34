/** Sentences for failures without an error code. The contract's error catalogue has the others. */
export const failureText = {
  network: '无法连接服务器，请检查网络后重试',
  notLoaded: '这部分内容没有加载成功，请检查网络后重试；如果控制台刚刚更新过，请刷新页面',
  timeout: '服务器响应超时，请稍后重试',
  cancelled: '操作已取消',
  unexpected: '页面出错了，请刷新后重试',
  status: (status: number) => `服务器返回了无法识别的内容（${status}），请稍后重试`,
  locked: (minutes: number) => `尝试次数过多，请在 ${minutes} 分钟后再试`,
  tooMany: (seconds: number) =>
    seconds < 60
      ? `操作过于频繁，请在 ${seconds} 秒后再试`
      : `操作过于频繁，请在 ${Math.ceil(seconds / 60)} 分钟后再试`,
  withRequestId: (sentence: string, requestId: string) => `${sentence}（请求编号 ${requestId}）`,
};

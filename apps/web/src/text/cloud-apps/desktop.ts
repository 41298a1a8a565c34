/** The desktop of a VNC or RDP app. */
export const desktopText = {
  screen: '远程桌面',
  keyboardInput: '桌面输入',
  connecting: '正在连接目标…',

  keyboard: '键盘输入',
  specialKeys: '发送特殊按键',
  scaling: '画面大小',
  scalings: { fit: '缩放到整个桌面可见', resize: '让桌面适应窗口', actual: '原始大小' },
  viewOnly: '只看不操作',

  clipboard: '剪贴板',
  fromDesktop: '桌面上复制的文字',
  nothingReceived: '在桌面上复制文字后，会显示在这里',
  copy: '复制到本机',
  copied: '已复制',
  copyFailed: '浏览器不允许复制，请选中文字后自行复制',
  toDesktop: '发送到桌面的剪贴板',
  pasteHere: '把要发送的文字粘贴到这里，再到桌面上粘贴',
  send: '发送',
  sent: '已放进桌面的剪贴板',
  clipboardRefused:
    '没有放进：这个 VNC 服务器的剪贴板不支持 Unicode，写不出这些字。可以先在桌面上点好位置，再按“逐字输入”；中文 Windows 上的旧服务器，也可以在编辑里把剪贴板编码改成 GB18030。',
  typeInstead: '逐字输入',
  textLost: {
    certain: '这台主机的远程桌面只接受按键，输入法打的字到不了桌面。请打开“剪贴板”，发送后在桌面上粘贴',
    doubtful: '如果刚打的字没有出现：这台主机（例如 xrdp）可能不接受输入法的字。请打开“剪贴板”，发送后在桌面上粘贴',
  },
  closeClipboard: '关闭',
};

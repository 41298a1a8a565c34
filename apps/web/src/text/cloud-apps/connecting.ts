/** Texts of the login at a target, which all kinds of apps share. */
export const connectingText = {
  connecting: '正在连接目标…',
  connectFailed: '连接不上目标',
  retry: '重试',

  credentialsTitle: '登录目标',
  refused: '目标拒绝了登录，请检查后重新输入。',
  credentialsNote: '只用于这一次连接，不会保存。',
  wanted: { username: '用户名', password: '密码', passphrase: '私钥的口令' },
  logIn: '登录',

  hostKeyTitle: '第一次连接，请核对目标的指纹',
  hostKeyText:
    '在目标上运行下面的命令，看到的指纹与这里一致，才是您要连接的那一台。所有者确认后会记住，以后变了就不再连接。',
  certificateTitle: '请核对目标的证书指纹',
  certificateText:
    '目标的证书不是由公共机构签发的。它的指纹与您在目标上看到的一致，才是您要连接的那一台。所有者确认后会记住，以后变了就不再连接。',
  hostKeyCommand: 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
  fingerprint: '指纹',
  trust: '信任并连接',
  doNotTrust: '不信任',
  changedTitle: '目标的身份变了，已停止连接',
  changedText:
    '可能是目标重装过系统、换过证书，也可能有别的机器在冒充它。确认无误后，请所有者在编辑里清除已保存的指纹，再重新打开。',
  knownFingerprint: '上次的指纹',
  newFingerprint: '这次的指纹',

  algorithmsTitle: '没有共同的加密算法，已停止连接',
  algorithmsText: (part: 'kex' | 'host_key' | 'cipher' | 'mac') =>
    `目标和通途没有共同的${{ kex: '密钥交换', host_key: '主机密钥', cipher: '加密', mac: '完整性校验' }[part]}算法。`,
  theirAlgorithms: '目标支持',
  ourAlgorithms: '通途接受',
  oldAlgorithmsHelp: '目标是老设备、网络也可信时，所有者可以在编辑里打开“允许过时的算法”。最好先升级目标的系统。',
  oldAlgorithmsAllowed: '这个应用已经允许过时的算法，仍然没有共同的：请升级目标的系统。',

  idleWarning: (seconds: number) => `长时间没有操作，会话将在 ${seconds} 秒后结束。`,
  stay: '继续使用',
};

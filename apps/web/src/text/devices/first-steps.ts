export const firstStepsText = {
  title: '开始使用',
  progress: (done: number, all: number) => `已完成 ${done} / ${all}`,
  dismiss: '不再显示',
  dismissTitle: '不再显示这些步骤？',
  dismissText: '没做完的以后仍可以在“个人资料”和设置里完成。',
  done: '已完成',
  todo: '未完成',
  password: { title: '修改初始密码', text: '安装时的密码可能留在终端、日志或配置里。', action: '修改密码' },
  secondFactor: { title: '启用两步登录', text: '密码泄露时，别人仍然进不来。', action: '去启用' },
  alert: { title: '添加提醒方式', text: '设备离线或账号在别处登录时，马上知道。', action: '去添加' },
  domain: {
    title: '使用自己的域名',
    text: '有了域名，在外面也能打开，还能自动申请 https 证书。',
    action: '怎么设置',
  },
  backup: { title: '设置备份', text: '数据文件夹丢失后，账号和设备都无法恢复。', action: '怎么备份', mark: '已经设好' },
};

export const domainStepText = {
  title: '使用自己的域名',
  steps: [
    '把域名和它的泛域名（例如 example.com 和 *.example.com）解析到这台服务器的公网 IP。',
    '开放 TCP 端口 80、443 和 7000。',
    '用下面的设置重新启动服务：',
  ],
  command: 'BASE_DOMAIN=example.com PUBLIC_URL=https://example.com \\\n  PORT=80 TLS_PORT=443 ACME=on npm start',
  after: '已有的设备和地址会自动换到新域名。这一步在服务使用自己的域名后自动打勾。',
  close: '知道了',
};

export const backupStepText = {
  title: '备份',
  intro: '备份就是定期把整个数据文件夹（DATA_DIR，默认 ./data）复制到另一台机器：数据库、密钥和证书都在里面。',
  how: '先停止服务，再连同属主和权限一起复制，例如：',
  after: '复制完再启动服务。',
  // Each copy has a name of its own: `cp` would put a second one into the first.
  command: 'cp -a /var/lib/tongtu /mnt/backup/tongtu-$(date +%F-%H%M)',
  secret: '备份里有全部密钥，请像密码一样保管。使用自己的 PostgreSQL（DATABASE_URL）时，还要用它自己的工具备份数据库。',
  note: '服务器看不到备份是否存在，所以设好后请自己打勾。',
  close: '知道了',
};

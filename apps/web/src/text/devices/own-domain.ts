/** Texts of a mapping's own domain and its records in DNS. */
export const ownDomainText = {
  waiting: '等待解析',
  ready: '解析已生效',
  readyNow: (domain: string) => `${domain} 的解析已生效`,
  stillWaiting: (domain: string) => `还没有查到 ${domain} 的正确解析，会继续自动检查`,
  found: (addresses: readonly string[]) =>
    addresses.length === 0
      ? '还没有查到可用的解析记录，服务器会自动检查'
      : `域名现在指向 ${addresses.join('、')}，不是本服务器`,
  records: '解析记录',
  checkNow: '立即检查',

  title: '到域名服务商处添加这条解析记录：',
  type: '类型',
  name: '主机名',
  value: '记录值',
  after: '服务器会自动检查，记录生效后（通常几分钟）就能用这个域名访问。',
  https: '服务器开启了自动证书时，HTTPS 证书会在记录生效后自动申请。',
  apex: (addresses: readonly string[]) =>
    addresses.length === 0
      ? '根域名（如 example.com）不能设 CNAME，请用它的子域名。'
      : `根域名（如 example.com）不能设 CNAME，请改设 A 或 AAAA 记录，记录值为 ${addresses.join(' 或 ')}。`,
  noAddress:
    '服务器还没有公网域名，请把这个域名直接解析到服务器的公网 IP（A 或 AAAA 记录）。用服务器的 IP 打开控制台，这里会显示要填写的记录。',
  proofTitle: '证明域名属于您的解析记录：',
  proofAfter: '记录生效后再点保存。添加后，原来使用这个域名的映射会失效。',
};

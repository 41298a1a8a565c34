import { quoted } from '../devices/names.ts';

/** For the owner, who allows or refuses. */
export const accessRequestsText = {
  title: '访问申请',
  asks: '申请访问',
  label: (account: string, domain: string) => `${account} 申请访问 ${domain}`,
  message: (message: string) => `留言：${message}`,
  validity: '允许多久',
  validities: [
    { hours: null, word: '一直允许' },
    { hours: 24, word: '1 天' },
    { hours: 168, word: '7 天' },
    { hours: 720, word: '30 天' },
  ],
  allow: '允许',
  allowLabel: (account: string, domain: string) => `允许 ${account} 访问 ${domain}`,
  allowed: (account: string) => `已允许 ${account}，对方现在是成员`,
  refuse: '拒绝',
  refuseLabel: (account: string, domain: string) => `拒绝 ${account} 访问 ${domain}`,
  refuseTitle: (account: string) => `拒绝${quoted(account)}的申请？`,
  refuseText: '对方会看到您没有同意，7 天内不能再次申请。',
  refused: (account: string) => `已拒绝 ${account} 的申请`,
};

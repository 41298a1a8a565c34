import type { LikenessReason } from '@tongtu/contract';
import { quoted } from './names.ts';

/** A new device takes the place of one that is lost. */
export const adoptionText = {
  open: '找回设备',
  title: (name: string) => `找回${quoted(name)}`,
  intro: '设备重置、重装或换了新机器后，会成为一台新设备。把原来的内容转移过去，地址保持不变，访客不需要做任何事。',
  candidate: '转移到',
  choose: '请选择一台设备',
  noCandidates: '还没有可以接替的设备。请先在新机器上运行客户端，把它添加进来。',
  online: '在线',
  offline: '离线',
  moves: '会转移的内容',
  mappings: (count: number) => `${count} 条域名映射，地址不变`,
  cloudApps: (count: number) => `${count} 个远程应用`,
  members: (count: number) => `${count} 位成员`,
  shareLinks: (count: number) => `${count} 个分享链接`,
  allowList: (count: number) => `访问白名单 ${count} 项`,
  settings: '设备名称、设置和验证记录',
  plan: (name: string) => `套餐“${name}”`,
  planReplaced: (name: string) =>
    `新设备现有的套餐“${name}”与它相比：有效的优先，其次是付费的；未采用的套餐变为未绑定，不会作废。`,
  afterwards: (name: string) =>
    `转移后，列表里的${quoted(name)}（离线的这台）会被删除，它的旧密钥随之失效；新设备已有的内容全部保留。`,
  confirm: '转移并删除旧设备',
  done: (name: string) => `已转移到新设备，现在的名称是${quoted(name)}`,
  suggestionTitle: (lost: string, added: string) => `${quoted(added)}像是离线的${quoted(lost)}`,
  suggestionText: (reasons: string) => `${reasons}。如果是同一台设备重置或重装了，可以把原来的域名映射等内容转移过去。`,
  suggestionAction: '查看并转移',
  dismiss: '不是同一台',
  failed: '暂时无法读取',
};

export const likenessTexts: Record<LikenessReason, string> = {
  'same-hardware': '网卡相同',
  'same-name': '名称相同',
  'same-address': '公网 IP 相同',
  'same-network': '在同一个局域网',
};

import type { MappingFix } from '@tongtu/contract';
import { mappingFormText } from './mapping-form.ts';

/** Of the part of a connection test that compares visits. */
export const visitText = {
  visitor: '访客得到的',
  direct: '设备直接访问得到的',
  noDirect: '映射由 frpc.toml 管理，只有 frpc 知道服务的地址，无法比较',
  fixTitle: '换成下面的设置，访客就能打开（已经试过）：',
  fix: '一键修复',
  /** What a service no longer distinguishes. */
  hidesVisitors:
    '改后服务看不到访客的真实地址，会把访客当作来自局域网。如果服务在局域网内不用登录，外面的访客也会不用登录，请先确认。',
  lessTls: '改后设备与服务之间不再加密。',
  advice: '也可以在服务里设置：',
  adviceAlone: '需要在服务里设置：',
  /** Each changed setting, by its name in the form of the mapping. */
  fixLines: (fix: MappingFix): string[] => [
    ...(fix.target === undefined ? [] : [`目标：${fix.target}`]),
    ...(fix.verify_tls === false ? [`${mappingFormText.verifyTls}：关闭`] : []),
    ...(fix.tls_name === undefined
      ? []
      : [`${mappingFormText.tlsName}：${fix.tls_name || mappingFormText.tlsNamePlaceholder}`]),
    ...(fix.host_header === undefined ? [] : [`${mappingFormText.hostHeader}：${hostText(fix)}`]),
    ...(fix.visitor_fields === undefined
      ? []
      : [`${mappingFormText.visitorFields}：${mappingFormText.visitorFieldsOptions[fix.visitor_fields]}`]),
    ...(fix.forwarded_proto === undefined
      ? []
      : [`${mappingFormText.forwardedProto}：${mappingFormText.forwardedProtos[fix.forwarded_proto]}`]),
    ...(fix.origin_fields === undefined
      ? []
      : [`${mappingFormText.originFields}：${mappingFormText.originFieldsOptions[fix.origin_fields]}`]),
    ...(fix.proxy_protocol === undefined
      ? []
      : [`${mappingFormText.proxyProtocol}：${fix.proxy_protocol ? '开启' : '关闭'}`]),
  ],
};

function hostText({ host_header: hostHeader = 'keep', host_name: name = '' }: MappingFix): string {
  if (hostHeader === 'custom') return name;
  return mappingFormText.hostHeaders[hostHeader];
}

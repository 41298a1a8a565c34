const texts: Readonly<Record<string, string>> = {
  'needs-verification': '尚未验证身份',
  'other-site': '来自其他网站的请求',
  'closed-by-owner': '禁止访问',
  'device-disabled': '设备已停用',
  'mapping-disabled': '映射已停用',
  'plan-ended': '没有有效的套餐',
  'over-plan-limit': '超出套餐的映射数',
  'not-open-yet': '还没到开放日期',
  closed: '开放日期已过',
  'outside-hours': '不在开放时段',
  'service-login': '没有用户名和密码，或者不正确',
  'too-many-passwords': '错误的密码过多',
  'no-service-here': '没有 locations 包含这个路径',
  'device-offline': '设备离线',
  'device-busy': '设备繁忙',
  'too-many-connections': '访客的连接过多',
  'agent-outdated': '客户端版本过低',
  'target-refused': '服务拒绝连接',
  'target-not-found': '找不到目标主机',
  'target-not-allowed': '目标地址不允许',
  'target-tls-failed': '与服务的加密连接失败',
  'target-certificate': '服务的证书无效',
  'target-timeout': '服务没有响应',
  'target-lost': '与服务的连接中断',
  'target-bad-answer': '服务的响应无法识别',
  'target-no-http2': '服务不支持 HTTP/2（gRPC）',
  revoked: '访问权限已结束',
};

/** Why a visit was denied or failed, in the console and in the exported file. */
export function visitReasonText(reason: string): string {
  return texts[reason] ?? reason;
}

export const termsFieldText = {
  agree: '我已阅读并同意',
  terms: '服务条款',
  mustAgree: '请先阅读并同意服务条款',
};

export const newPasswordText = {
  hint: '至少 10 个字符，不要用连续的字母或数字。',
};

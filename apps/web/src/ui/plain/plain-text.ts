/** Texts of the plain components, apart from the others because they are loaded first. */
export const plainText = {
  retry: '重试',
  reveal: (label: string) => `显示${label}`,
  hide: (label: string) => `隐藏${label}`,
};

import type { Plugin } from 'vite';

/** English that the libraries' components give to screen readers, in code that takes no other text. */
const passages = [
  {
    // The name of the icon: a button was read as “plus 添加设备”. An icon that means something is given a name by us.
    file: /\/@ant-design\/icons\/es\/components\/AntdIcon(Light)?\.js$/,
    english: /role: "img",\s*"aria-label": icon\.name/,
    instead: '...(restProps["aria-label"] ?? restProps.title ? { role: "img" } : { "aria-hidden": true })',
  },
  {
    // Part of the name of a tab that has the focus. Screen readers say the position themselves.
    file: /\/@rc-component\/tabs\/es\/TabNavList\/TabNode\.js$/,
    english: /`Tab \$\{currentPosition\} of \$\{tabCount\}`/,
    instead: '""',
  },
];

/** Removes these passages. Fails when a new version of a library has them in another form. */
export function silenceLibraries(): Plugin {
  return {
    name: 'silence-libraries',
    transform(code, id) {
      const passage = passages.find(({ file }) => file.test(id));
      if (passage === undefined) return undefined;
      if (!passage.english.test(code)) this.error(`${id} has changed: look at what it says to screen readers`);
      return { code: code.replace(passage.english, passage.instead), map: null };
    },
  };
}

import type { ConfigProviderProps } from 'antd';

/** To the field with a mistake, which may be scrolled out of view, above all on a phone. */
export const toMistake = { block: 'center', focus: true } as const;

/** How the component library's components behave everywhere in the console. */
export const componentConfig: ConfigProviderProps = {
  // No space between the two characters of a button.
  button: { autoInsertSpace: false },
  form: { scrollToFirstError: toMistake },
};

import type { ComponentProps } from 'react';

/** A file input that a button opens. A form of Ant Design shows file inputs even where they are `hidden`. */
export function FileInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  return <input {...props} type="file" tabIndex={-1} style={{ display: 'none' }} />;
}

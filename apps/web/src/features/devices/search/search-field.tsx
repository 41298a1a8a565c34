import { SearchOutlined } from '@ant-design/icons';
import { Input, type InputRef } from 'antd';
import type { KeyboardEventHandler, RefObject } from 'react';
import { devicesText } from '../../../text/devices/devices.ts';
import { clearable } from '../../../ui/fields/field-icons.tsx';
import styles from './search.module.css';
import type { SearchDraft } from '../../../ui/fields/use-search-draft.ts';

const clearSearch = clearable(devicesText.clearSearch);

type SearchFieldProps = Pick<SearchDraft, 'typed' | 'setTyped' | 'composition'> & {
  placeholder: string;
  field?: RefObject<InputRef | null>;
  onKeyDown?: KeyboardEventHandler;
};

export function SearchField({ typed, setTyped, composition, placeholder, field, onKeyDown }: SearchFieldProps) {
  return (
    <Input
      {...(field && { ref: field })}
      {...(onKeyDown && { onKeyDown })}
      allowClear={clearSearch}
      prefix={<SearchOutlined aria-hidden />}
      placeholder={placeholder}
      aria-label={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      {...composition}
      className={styles.search ?? ''}
    />
  );
}

import { SearchOutlined } from '@ant-design/icons';
import { Input, Segmented } from 'antd';
import { downloadsText } from '../../../../text/cloud-apps/downloads.ts';
import styles from '../downloads.module.css';
import { type DownloadGroup, downloadGroups } from './shown-downloads.ts';

type ChoiceBarProps = {
  counts: Record<DownloadGroup, number>;
  group: DownloadGroup;
  setGroup: (group: DownloadGroup) => void;
  filter: string;
  setFilter: (filter: string) => void;
};

/** Which of the downloads are listed. */
export function ChoiceBar({ counts, group, setGroup, filter, setFilter }: ChoiceBarProps) {
  return (
    <div className={styles.choice}>
      <Segmented<DownloadGroup>
        size="small"
        aria-label={downloadsText.groupsLabel}
        value={group}
        onChange={setGroup}
        options={downloadGroups.map((value) => ({
          value,
          label: `${downloadsText.groups[value]} ${counts[value]}`,
        }))}
      />
      <Input
        className={styles.filter ?? ''}
        size="small"
        allowClear
        prefix={<SearchOutlined aria-hidden />}
        placeholder={downloadsText.filter}
        aria-label={downloadsText.filter}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
    </div>
  );
}

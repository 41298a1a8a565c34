import { CaretRightOutlined, ClearOutlined, DashboardOutlined, PauseOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, type ButtonProps } from 'antd';
import type { Download } from '@tongtu/contract';
import { downloadsText } from '../../../text/cloud-apps/downloads.ts';
import styles from './downloads.module.css';
import { groupOf } from './list/shown-downloads.ts';
import type { ActionsForAll } from './use-download-actions.tsx';

/** What can be done with all downloads together. */
export function DownloadsToolbar({ downloads, forAll }: { downloads: readonly Download[]; forAll: ActionsForAll }) {
  const canPause = downloads.some(({ status }) => status === 'active' || status === 'waiting');
  const canResume = downloads.some(({ status }) => status === 'paused');
  const canForget = downloads.some((download) => groupOf(download) === 'stopped');
  return (
    <div className={styles.toolbar}>
      <div className={styles.buttons} role="toolbar" aria-label={downloadsText.toolbar}>
        <Button type="primary" size="small" icon={<PlusOutlined />} onClick={forAll.add}>
          {downloadsText.add}
        </Button>
        <Tool
          label={downloadsText.pauseAll}
          icon={<PauseOutlined />}
          disabled={!canPause}
          onClick={() => forAll.pause()}
        />
        <Tool
          label={downloadsText.resumeAll}
          icon={<CaretRightOutlined />}
          disabled={!canResume}
          onClick={() => forAll.resume()}
        />
        <Tool
          label={downloadsText.forgetAll}
          icon={<ClearOutlined />}
          disabled={!canForget}
          onClick={() => forAll.forget()}
        />
        <Tool label={downloadsText.limits} icon={<DashboardOutlined />} onClick={() => forAll.limit()} />
      </div>
    </div>
  );
}

type ToolProps = Pick<ButtonProps, 'icon' | 'disabled' | 'onClick'> & { label: string };

/** On phones it is its icon. */
function Tool({ label, ...button }: ToolProps) {
  return (
    <Button {...button} size="small" aria-label={label} title={label}>
      <span className={styles.word}>{label}</span>
    </Button>
  );
}
